import eslint from "@eslint/js";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist/", ".e2e/", ".code-server/"] },
  {
    files: ["src/**/*.ts", "test/**/*.ts", "*.mts"],
    extends: [eslint.configs.recommended, tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      eqeqeq: "error",
      "max-lines": ["error", 300],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/explicit-module-boundary-types": "error",
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      // Numbers are shown to people here; a template may hold them.
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
    },
  },
  {
    // Dependencies point one way: ui → host → core.
    files: ["src/core/**/*.ts"],
    rules: {
      "no-restricted-imports": [
        "error",
        { patterns: [{ regex: "^(vscode$|node:|\\.\\./(ui|host)/)", message: "core is pure: it knows neither the editor nor the machine." }] },
      ],
    },
  },
  {
    files: ["src/host/**/*.ts", "test/unit/**/*.ts"],
    rules: {
      "no-restricted-imports": [
        "error",
        { patterns: [{ regex: "^(vscode|.*/ui/)", message: "Only src/ui and src/extension.ts know the editor." }] },
      ],
    },
  },
);
