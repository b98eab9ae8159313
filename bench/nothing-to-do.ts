import { readdirSync } from 'node:fs'
import { type Bench, costOf, judgeByCopies, type Row, scaled, writeInput } from './bench.ts'
import { listOf, packageOf } from './inputs.ts'
import { MUTATIONS_CONTEXT, VARIANT } from './mutations.ts'

/** A PackageVariant that asks only for the context. */
const CONTEXT_ONLY = VARIANT.slice(0, VARIANT.indexOf('  pipeline:'))

const GENERATE_SYNC = `apiVersion: fn.krm-variants.dev/v1alpha1
kind: GenerateSync
metadata:
  name: sync
spec:
  for: flux
`

/** The functionConfigs of functions that need one. */
const CONFIGS: Readonly<Record<string, string>> = {
  'set-context': CONTEXT_ONLY,
  'prepend-pipeline': CONTEXT_ONLY,
  'inject-config': CONTEXT_ONLY,
  'generate-sync': GENERATE_SYNC,
}

/** The most N of a function, unless listed here. */
const MOST = 2.5
const MOST_OF: Readonly<Record<string, number>> = { 'fan-out': 2 }

/** The large list through every function, which finds everything in order. The variant asks only for the context, which is set. */
export function nothingToDo(bench: Bench): readonly Row[] {
  const names = readdirSync('dist').flatMap((file) => (file.endsWith('.mjs') && file !== 'krm-variants.mjs' ? [file.slice(0, -4)] : []))
  const items = packageOf(scaled(bench, 20_000), MUTATIONS_CONTEXT)
  const inputs = new Map(
    [undefined, CONTEXT_ONLY, GENERATE_SYNC].map((config, i) => [config, writeInput(bench, `large-${i}.yaml`, listOf(items, config))]),
  )
  return names.map((name) => {
    const cost = costOf(bench, `dist/${name}.mjs`, inputs.get(CONFIGS[name]) ?? '')
    return judgeByCopies(bench, `large list, nothing to do (${name})`, cost, MOST_OF[name] ?? MOST, 200)
  })
}
