import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Inputs that are made to cost more than their size: each limit is measured where nothing else runs in the process. */
const ATTACKS = [
  'testdata/attacks/*.test.ts',
  'testdata/resolve-attacks.test.ts',
  'src/**/attacks.test.ts',
  'src/catalog/{config-size,grown-texts}.test.ts',
]

/** The files of `npm test` that take longest. One of them that began last would leave the other processes waiting. */
const LONGEST = [
  'cli/diff/diff.test.ts',
  'testdata/fuzz.test.ts',
  'cli/transcripts.test.ts',
  'cli/fleet/commands-agree.test.ts',
  'cli/promote/release.test.ts',
  'testdata/golden.test.ts',
  'cli/render/last-render-changes.test.ts',
  'testdata/resolve-order.test.ts',
]

const TOOL = `${import.meta.dirname}/cli/`

/**
 * Begins with the files of the tool, then with the longest of the others: vitest knows them only after a first run, and before that begins
 * with the largest.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const isLong = LONGEST.some((path) => moduleId.endsWith(`/${path}`))
      return (moduleId.startsWith(TOOL) ? 0 : 2) + (isLong ? 0 : 1)
    }
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}

// unit and attacks need nothing but the sources, dist the bundles of `npm run build`, e2e the bundles and kpt,
// hosts the bundles and whatever else runs functions, api the sources, Go and etcd.
export default defineConfig({
  test: {
    expect: { requireAssertions: true },
    sequence: { sequencer: LongestFirst },
    // Of the clock, which runs on while other processes have the cores.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          // The files of a worker share one set of modules: to load the sources for each file takes longer than most tests. What a test
          // mocks is taken back, so that the next file does not meet it.
          isolate: false,
          // Most values of a test are garbage after it: a larger young heap copies fewer of them.
          execArgv: ['--max-semi-space-size=64'],
          restoreMocks: true,
          unstubEnvs: true,
          setupFiles: ['testdata/small-parent.mjs', 'testdata/before-each-test.ts'],
          include: ['{src,sdk,functions,cli,page,testdata}/**/*.test.ts'],
          exclude: ['testdata/bundles.test.ts', ...ATTACKS],
        },
      },
      // Each attack in a process of its own.
      { extends: true, test: { name: 'attacks', include: [...ATTACKS] } },
      { extends: true, test: { name: 'dist', include: ['testdata/bundles.test.ts'] } },
      { extends: true, test: { name: 'e2e', include: ['e2e/*.test.ts'] } },
      {
        extends: true,
        test: { name: 'api', include: ['e2e/api/*.test.ts'], globalSetup: 'e2e/api/start-server.ts', testTimeout: 300_000 },
      },
      // Builds a kube-apiserver and two controllers of Flux, which takes ten minutes the first time.
      { extends: true, test: { name: 'deploy', include: ['e2e/deploy/*.test.ts'], testTimeout: 300_000, hookTimeout: 1_800_000 } },
      // One file after the other: they measure, and build the same images.
      {
        extends: true,
        test: { name: 'hosts', include: ['e2e/hosts/*.test.ts'], testTimeout: 300_000, hookTimeout: 300_000, fileParallelism: false },
      },
    ],
  },
})
