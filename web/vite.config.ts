import { readFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";

// Serves the API's description beside the page.
const openapi: Plugin = {
  name: "openapi",
  generateBundle() {
    this.emitFile({ type: "asset", fileName: "openapi.json", source: readFileSync("openapi.json") });
  },
};

// The files of dist/ have fixed names: they are compiled into the program, which sends its own cache headers.
export default defineConfig({
  plugins: [openapi],
  build: {
    target: "es2022",
    modulePreload: false,
    assetsInlineLimit: 0,
    rollupOptions: {
      output: { entryFileNames: "explorer.js", assetFileNames: "explorer[extname]", inlineDynamicImports: true },
    },
  },
  server: { proxy: { "/api": process.env.GENIEPATH_SERVER ?? "http://127.0.0.1:8080" } },
});
