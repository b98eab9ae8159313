import { readdirSync } from 'node:fs'
import { type Bench, costOf, judgeByCopies, type Row, scaled, writeInput } from './bench.ts'
import { listOf, packageOf } from './inputs.ts'
import { MUTATIONS_CONTEXT, VARIANT } from './mutations.ts'

/** Functions that take a PackageVariant as functionConfig; the others need none. */
const OF_A_VARIANT: ReadonlySet<string> = new Set(['set-context', 'prepend-pipeline', 'inject-config'])

/** The most N of a function, unless listed here. */
const MOST = 2.5
const MOST_OF: Readonly<Record<string, number>> = { 'fan-out': 2 }

/** The large list through every function, which finds everything in order. The variant asks only for the context, which is set. */
export function nothingToDo(bench: Bench): readonly Row[] {
  const names = readdirSync('dist').flatMap((file) => (file.endsWith('.mjs') && file !== 'krm-variants.mjs' ? [file.slice(0, -4)] : []))
  const items = packageOf(scaled(bench, 20_000), MUTATIONS_CONTEXT)
  const plain = writeInput(bench, 'large-plain.yaml', listOf(items))
  const ofVariant = writeInput(bench, 'large-variant.yaml', listOf(items, VARIANT.slice(0, VARIANT.indexOf('  pipeline:'))))
  return names.map((name) => {
    const cost = costOf(bench, `dist/${name}.mjs`, OF_A_VARIANT.has(name) ? ofVariant : plain)
    return judgeByCopies(bench, `large list, nothing to do (${name})`, cost, MOST_OF[name] ?? MOST, 200)
  })
}
