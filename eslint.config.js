import js from '@eslint/js';
import tseslint from 'typescript-eslint';

/** Refuses comments with sentences that begin with a word behind which the subject hides. */
const plainWords = {
  create: (context) => ({
    Program() {
      for (const { value, loc } of context.sourceCode.getAllComments()) {
        if (!/(?:^|[.!?][)`"]?)[\s*]*(?:What|Whoever|Nobody|Somebody|Of)\s/.test(value)) continue;
        context.report({ loc, message: 'Begin each sentence with its subject or its verb.' });
      }
    },
  }),
};

export default tseslint.config(
  { ignores: ['.cache/', 'dist/', '.dev/', '**/generated/', 'coverage/', 'node_modules/', 'test/bench/dist/'] },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { project: './test/tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      'max-len': ['error', { code: 120, ignoreRegExpLiterals: true, ignoreUrls: true, ignoreTemplateLiterals: true }],
      // Numbers in messages are fine; objects are not.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      // `_name` says that a value is left out on purpose.
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // One-line arrow functions around calls without a value read better without a block.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      'no-restricted-syntax': [
        'error',
        {
          selector:
            ':matches(PropertyDefinition, TSParameterProperty, MethodDefinition[kind!="constructor"])[accessibility="private"]',
          message: 'Private members are written with #.',
        },
      ],
    },
  },
  {
    files: ['src/**/*.ts', 'test/**/*.ts'],
    plugins: { words: { rules: { plain: plainWords } } },
    rules: { 'words/plain': 'error' },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/process/**'],
    rules: {
      'no-restricted-globals': ['error', { name: 'process', message: 'Only `src/process/` touches `process`.' }],
      'no-console': 'error',
    },
  },
  {
    files: ['test/**/*.ts'],
    // Rows of test tables read better on one line.
    rules: { 'max-len': ['error', { code: 140, ignoreTemplateLiterals: true, ignoreRegExpLiterals: true }] },
  },
  {
    // They import packages of their own, which `npm ci` does not install: the benchmark and a suite check their types.
    files: ['test/bench/programs/**/*.ts', 'test/clients/**/*.ts'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { parserOptions: { project: null } },
  },
  {
    files: ['test/**/*.js', '.ci/**/*.{js,mjs}', '.*.cjs'],
    languageOptions: {
      globals: {
        clearTimeout: 'readonly',
        module: 'writable',
        performance: 'readonly',
        process: 'readonly',
        setTimeout: 'readonly',
      },
    },
  },
);
