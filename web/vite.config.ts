import { defineConfig } from "vite";

// The four files of dist/ have fixed names: they are compiled into the program, which sends its own cache headers.
export default defineConfig({
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
