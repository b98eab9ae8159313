import { pipelineFunctions, type WrittenFunction } from './pipeline-functions.ts'
import type { SystemDifferences, SystemFault } from './system-differences.ts'

/** The differences of kpt 1.0.0-beta.56 (docs/kpt.md). kpt makes no packages of sets: it runs the pipelines of their packages. */
export const KPT_DIFFERENCES: SystemDifferences = {
  refused: new Set(),
  replaced: new Set(),
  faults: (items) => pipelineFunctions(items).flatMap((fn) => [...newFields(fn), ...programs(fn)]),
}

/** Returns an error for each field of the newest API: kpt refuses a Kptfile with a field that it does not know. */
function newFields({ object, path, fields }: WrittenFunction): readonly SystemFault[] {
  return ['configRef', 'when']
    .filter((field) => Object.hasOwn(fields, field))
    .map((field) => ({
      object,
      severity: 'error',
      rule: 'kpt-unknown-field',
      path: [...path, field],
      message: `must not be set for kpt 1.0.0-beta.56, which refuses the Kptfile; ${field === 'when' ? 'let the function itself look at its input' : 'write the config into a file of the package and name the file in `configPath`'}`,
      atKey: true,
    }))
}

function programs({ object, path, fields }: WrittenFunction): readonly SystemFault[] {
  if (!Object.hasOwn(fields, 'exec')) return []
  const message = 'runs with kpt only where `kpt fn render --allow-exec` is called on a machine that has the program'
  return [{ object, severity: 'warning', rule: 'kpt-needs-allow-exec', path: [...path, 'exec'], message }]
}
