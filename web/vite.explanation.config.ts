import { defineConfig } from "vite";

// One script and one style sheet, which scripts/pack_explanation.mjs puts into explanation.html.
export default defineConfig({
  publicDir: false,
  build: {
    target: "es2022",
    outDir: "dist-explanation",
    lib: { entry: "src/explanation.ts", formats: ["iife"], name: "explanation", fileName: () => "explanation.js" },
    rollupOptions: { output: { assetFileNames: "explanation[extname]" } },
  },
});
