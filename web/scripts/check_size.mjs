// The built page must stay small: the sum of its files, each compressed by itself as a server would send it.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const limit = 150_000;
const folder = fileURLToPath(new URL("../dist/", import.meta.url));
let total = 0;
for (const name of readdirSync(folder)) {
  const size = gzipSync(readFileSync(folder + name)).length;
  total += size;
  console.log(`${String(size).padStart(8)} bytes compressed  ${name}`);
}
console.log(`${String(total).padStart(8)} of at most ${limit}`);
if (total > limit) process.exit(1);
