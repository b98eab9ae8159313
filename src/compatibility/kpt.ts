import { DEFAULT_PREFIX } from '../pipeline/image.ts'
import { shortImages, unknownFields } from './functions-of-systems.ts'
import { ownKinds } from './own-kinds.ts'
import { pipelineFunctions, type WrittenFunction } from './pipeline-functions.ts'
import type { KptFacts, SystemDifferences, SystemFault } from './system-differences.ts'

/** Returns the differences of a version of kpt (docs/kpt.md). kpt makes no packages of sets: it runs the pipelines of their packages. */
export function kptDifferences(facts: KptFacts): SystemDifferences {
  return {
    refused: new Set(),
    replaced: new Set(),
    faults: (items) => [
      ...pipelineFunctions(items).flatMap((fn) => [
        ...unknownFields(fn, facts, 'kpt-unknown-field'),
        ...shortImages(fn, facts, DEFAULT_PREFIX),
        ...programs(fn),
      ]),
      ...ownKinds(items, 'kpt-unknown-kind'),
    ],
  }
}

function programs({ object, path, fields }: WrittenFunction): readonly SystemFault[] {
  if (!Object.hasOwn(fields, 'exec')) return []
  const message = 'runs with kpt only where `kpt fn render --allow-exec` is called on a machine that has the program'
  return [{ object, severity: 'warning', rule: 'kpt-needs-allow-exec', path: [...path, 'exec'], message }]
}
