import { defineConfig } from 'vitest/config'

// The tests that `npm run mutants` asks of each mutant: those of `npm test` that judge behaviour. Tests of speed and of random input are left
// out, and so are the recorded answers of the real systems, since all of them would be run for each of thousands of mutants.
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'functions/**/*.test.ts', 'testdata/golden.test.ts'],
    exclude: ['**/attacks.test.ts', '**/real-*.test.ts'],
    setupFiles: ['testdata/before-each-test.ts'],
    testTimeout: 60_000,
  },
})
