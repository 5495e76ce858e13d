// Makes dist-explanation/explanation.html one file that loads nothing: its script and style sheet inside, and a content
// policy that allows just these two.
import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const limit = 60_000;
const web = fileURLToPath(new URL("../", import.meta.url));
const folder = `${web}dist-explanation/`;
const text = (path) => readFileSync(path, "utf-8");

const script = text(`${folder}explanation.js`).replaceAll("</script", "<\\/script");
const style = readFileSync(`${folder}explanation.css`, "utf-8");
const hash = (content) => `'sha256-${createHash("sha256").update(content).digest("base64")}'`;
const policy =
  `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data: blob:; base-uri 'none'; form-action 'none'`;
const head = `<meta http-equiv="Content-Security-Policy" content="${policy}" />\n    <style>${style}</style>\n  </head>`;
const page = text(`${web}explanation.html`)
  .replace("</head>", () => head)
  .replace("</body>", () => `<script>${script}</script>\n  </body>`);
const size = gzipSync(page).length;
console.log(`${String(size).padStart(8)} of at most ${limit} bytes compressed  explanation.html`);
if (size > limit) process.exit(1);
writeFileSync(`${folder}explanation.html`, page);
for (const name of ["explanation.js", "explanation.css"]) rmSync(folder + name);
