// `npm run mutants -- FOLDER…`, or FILE…: changes the sources in many small ways, one at a time, and lists the changes that no test
// notices.
// What an earlier run found out is used again where neither the source nor its tests changed. It takes minutes to hours.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { prepare, ROOT } from './ready.mjs'

const places = process.argv.slice(2)
if (places.length === 0) {
  process.stderr.write('npm run mutants -- FOLDER…, or FILE…, for example src/merge\n')
  process.exit(1)
}

prepare(process.execPath, ['scripts/generate.mjs'])
const kept = join(ROOT, 'node_modules/.cache/mutants')
mkdirSync(kept, { recursive: true })
const config = join(kept, 'config.json')
writeFileSync(
  config,
  JSON.stringify({
    testRunner: 'vitest',
    vitest: { configFile: 'vitest.mutants.config.ts' },
    mutate: places.flatMap((place) =>
      place.endsWith('.ts') ? [place] : [`${place}/**/*.ts`, `!${place}/**/*.test.ts`, `!${place}/**/testing/**`],
    ),
    // Nothing that a test of a mutant reads.
    ignorePatterns: [
      'biome.json',
      'dist',
      'site',
      'docs',
      'e2e',
      'bench',
      'examples',
      'testdata/cli',
      'testdata/attacks',
      '.github',
      '.ci',
    ],
    // Messages are pinned by golden cases; a changed word says nothing about a rule.
    mutator: { excludedMutations: ['StringLiteral'] },
    incremental: true,
    incrementalFile: join(kept, `${places.join('+').replaceAll('/', '-')}.json`),
    reporters: ['clear-text', 'progress-append-only'],
    clearTextReporter: { allowColor: false, reportTests: false, allowEmojis: false },
    tempDirName: '.mutants',
    // TypeScript 7 has no API with which the file could be read; a name that is not there leaves it as it is.
    tsconfigFile: 'none.json',
    concurrency: 2,
    timeoutMS: 20_000,
    thresholds: { high: 90, low: 85, break: 85 },
  }),
)
const { status } = spawnSync(process.execPath, ['node_modules/@stryker-mutator/core/bin/stryker.js', 'run', config], {
  cwd: ROOT,
  stdio: 'inherit',
})
process.exitCode = status ?? 1
