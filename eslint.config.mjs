import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

// React's rules, for the pages. All other rules are in .oxlintrc.json, since another program checks them in a fraction
// of the time: docs/decisions/0001. A rule is an error or absent: there are no warnings.
export default tseslint.config(
  { ignores: ['**/dist/**', '**/dist.new/**', '**/node_modules/**'] },
  {
    files: ['apps/web/**/*.tsx', 'apps/web/**/*.ts'],
    languageOptions: { parser: tseslint.parser },
    plugins: { 'react-hooks': reactHooks },
    rules: reactHooks.configs.recommended.rules,
  },
);
