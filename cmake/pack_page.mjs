// pack_page.mjs DIST OUT.cpp: writes the built page's files, plain and gzipped, as a C++ source (src/serve/page.h).
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { gzipSync } from "node:zlib";

const types = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml; charset=utf-8",
  ".woff2": "font/woff2",
};

const filesBelow = (folder, path = "") =>
  readdirSync(join(folder, path), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(folder, `${path}/${entry.name}`) : [`${path}/${entry.name}`]);

const array = (name, bytes) => {
  const lines = [];
  for (let at = 0; at < bytes.length; at += 32) lines.push([...bytes.subarray(at, at + 32)].join(","));
  return `constexpr unsigned char ${name}[] = {\n${lines.join(",\n")}};\n`;
};

const [dist, out] = process.argv.slice(2);
const arrays = [], rows = [];
for (const [n, path] of filesBelow(dist).sort().entries()) {
  const type = types[extname(path)];
  if (!type) throw new Error(`${path}: unknown file type`);
  const plain = readFileSync(join(dist, path));
  if (plain.length === 0) throw new Error(`${path}: empty`);
  arrays.push(array(`kPlain${n}`, plain), array(`kGzip${n}`, gzipSync(plain, { level: 9 })));
  rows.push(`    {${JSON.stringify(path)}, ${JSON.stringify(type)}, text(kPlain${n}), text(kGzip${n})},`);
}
mkdirSync(dirname(out), { recursive: true });
writeFileSync(out, `// Made by cmake/pack_page.mjs from web/dist.
#include "serve/page.h"

namespace geniepath::serve {
namespace {

${arrays.join("")}
template <size_t N>
std::string_view text(const unsigned char (&bytes)[N]) {
  return {reinterpret_cast<const char*>(bytes), N};
}

}  // namespace

std::span<const PageFile> page_files() {
  static const PageFile kFiles[] = {
${rows.join("\n")}
  };
  return kFiles;
}

}  // namespace geniepath::serve
`);
