import { checkDependencies } from '../functions/check-dependencies/check-dependencies.ts'
import { fanOut } from '../functions/fan-out/fan-out.ts'
import { injectConfig } from '../functions/inject-config/inject-config.ts'
import { prependPipeline } from '../functions/prepend-pipeline/prepend-pipeline.ts'
import { renderVariants } from '../functions/render-variants/render-variants.ts'
import { resolveDependencies } from '../functions/resolve-dependencies/resolve-dependencies.ts'
import { setContext } from '../functions/set-context/set-context.ts'
import { evaluate, type KrmFunction } from '../src/run.ts'
import { HEAD, readAll, repeat, WRAPPER } from '../testdata/attacks/attack.ts'
import {
  BY_LABEL,
  catalog,
  context,
  glasskube,
  keys,
  needs,
  providers,
  repositories,
  setWith,
  version,
} from '../testdata/attacks/functions.ts'
import { functions, injections, pairs, pipelines, rendering, resources, variants } from '../testdata/attacks/packages.ts'
import { timed } from '../testdata/processor-time.ts'
import type { Bench, Row } from './bench.ts'

interface Growth {
  readonly what: string
  readonly fn: KrmFunction
  /** A tenth of what is measured. */
  readonly few: number
  readonly text: (count: number) => string
}

/** What an input may have many of. */
const GROWTHS: readonly Growth[] = [
  {
    what: 'keys changed in a map',
    fn: setContext,
    few: 2000,
    text: (count) => context(keys(count, '    ', 'old-'), keys(count, '        ', 'new-')),
  },
  { what: 'new keys of a map', fn: setContext, few: 2000, text: (count) => context('    a: b\n', keys(count, '        ', 'new-')) },
  { what: 'faults of a set', fn: fanOut, few: 1000, text: (count) => setWith('    - repository: x\n'.repeat(count)) },
  { what: 'targets', fn: fanOut, few: 2000, text: (count) => `${setWith(BY_LABEL)}${repositories(count)}` },
  { what: 'items', fn: readAll, few: 5000, text: (count) => WRAPPER + repositories(count) },
  {
    what: 'versions of a package',
    fn: checkDependencies,
    few: 2000,
    text: (count) =>
      catalog(
        glasskube('a', version('1.0.0', needs('b', '>=1.0.0'))) +
          glasskube(
            'b',
            repeat(count, (n) => version(`1.${n}.0`, ' []')),
          ),
      ),
  },
  { what: 'packages that provide a kind, and as many that require it', fn: checkDependencies, few: 500, text: providers },
  { what: 'functions for a pipeline', fn: prependPipeline, few: 500, text: (count) => pipelines('', functions(count, '      ')) },
  { what: 'injection points', fn: injectConfig, few: 200, text: (count) => injections(count, 1) },
  { what: 'resources and injectors', fn: injectConfig, few: 300, text: (count) => injections(1, count) },
  { what: 'variants to render', fn: renderVariants, few: 50, text: (count) => rendering(resources(30), variants(count)) },
  { what: 'resources of a package to render', fn: renderVariants, few: 100, text: (count) => rendering(resources(count), variants(30)) },
  { what: 'installed packages that require one each', fn: resolveDependencies, few: 200, text: pairs },
  {
    what: 'levels in each of 2000 values',
    fn: readAll,
    few: 9,
    text: (count) => `${HEAD}  spec:\n${`  - ${'['.repeat(count)}${']'.repeat(count)}\n`.repeat(2000)}`,
  },
]

const RUNS = 3

/** Not whole processes: each on an input, and on one with ten times as many. */
export function growth({ quick }: Bench): readonly Row[] {
  if (quick) return []
  return GROWTHS.map(({ what, fn, few, text }) => {
    const [small, large] = [seconds(fn, text(few)), seconds(fn, text(few * 10))]
    return {
      what: `${few * 10} ${what}`,
      ours: { seconds: large },
      baseline: { what: `10 x ${few}`, seconds: small * 10 },
      must: '1.2 x baseline',
      met: large <= small * 12,
    }
  })
}

/** Of the processor, the least of some runs. */
function seconds(fn: KrmFunction, text: string): number {
  return Math.min(...Array.from({ length: RUNS }, () => timed(() => evaluate(fn, text)).time)) / 1e6
}
