import { groupBy } from '../group-by.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import { quoteNames } from '../schema/describe-value.ts'
import { faultToResult } from '../schema/fault.ts'
import { didYouMean } from '../schema/nearest-name.ts'
import { proposeKey } from '../schema/unknown-field.ts'
import { nameFirst } from '../wording.ts'
import { pipelinePaths } from './condition.ts'
import { imageFault } from './image.ts'
import { builtinVersion, findRunners, type Runners, unmatchedResult } from './match.ts'
import { functionsIn, type PipelineStep } from './pipeline-steps.ts'

/**
 * Returns the findings about the functions in Kptfiles, PackageVariants and the templates of sets, before one runs: images that nothing
 * here can run, keys of a configMap that a built-in function does not know, and versions with deliberate differences from the original.
 */
export function checkPipelines(items: readonly KrmObject[], runners: Runners): readonly Result[] {
  const inFiles = items.filter(({ file }) => file !== undefined)
  const steps = inFiles.flatMap((object) => pipelinePaths(object).flatMap((path) => functionsIn(object, path)))
  const sound = steps.filter(({ image }) => image !== '' && imageFault(image) === undefined)
  return [...unmatched(sound, runners), ...sound.flatMap((step) => unknownKeys(step, runners)), ...differences(sound, runners)]
}

/** Returns an info for each image that nothing can run here, with the number of packages that need it. `render` and `run` refuse these. */
function unmatched(steps: readonly PipelineStep[], runners: Runners): readonly Result[] {
  const found = findRunners(steps, runners).unmatched.filter(({ rule }) => rule === 'no-runner')
  return [...groupBy(found, ({ message }) => message).values()].map((same): Result => {
    const packages = same.filter(({ step }) => step.kptfile.kind === 'Kptfile')
    return { ...unmatchedResult(same[0], new Set(packages.map(({ step }) => step.kptfile)).size), severity: 'info' }
  })
}

/** Returns a finding for each key of a configMap that a built-in function refuses or ignores. */
function unknownKeys(step: PipelineStep, runners: Runners): readonly Result[] {
  const found = builtinVersion(step, runners)
  const notes = found?.builtin.notes?.(found.version)
  const keys = notes?.configMapKeys
  if (found === undefined || notes === undefined || keys === undefined) return []
  const effect = notes.refusesOtherKeys ? 'which refuses it' : 'which ignores it'
  const options = keys.length === 0 ? 'it has no options' : `its options are ${quoteNames(keys)}`
  const unknown = [...step.configMap.keys()].filter((key) => !keys.includes(key))
  return unknown.map((key) =>
    faultToResult(step.kptfile, {
      severity: notes.refusesOtherKeys ? 'error' : 'warning',
      rule: 'unknown-field',
      path: [...step.field, 'configMap', key],
      message: `is not an option of ${found.builtin.name}, ${effect}; ${options}${didYouMean(key, keys)}`,
      atKey: true,
      ...proposeKey(key, keys),
    }),
  )
}

/** Returns an info for each version of a built-in function whose answers differ from the original on purpose. */
function differences(steps: readonly PipelineStep[], runners: Runners): readonly Result[] {
  const known = steps.flatMap((step) => {
    const found = builtinVersion(step, runners)
    const rows = found?.builtin.notes?.(found.version).differences ?? []
    return found === undefined || rows.length === 0 ? [] : [{ step, name: `${found.builtin.name} ${found.version}`, rows }]
  })
  return Array.from(
    groupBy(known, ({ name }) => name),
    ([name, [{ step, rows }]]) =>
      faultToResult(step.kptfile, {
        severity: 'info',
        rule: 'known-differences',
        path: [...step.field, 'image'],
        message: `runs the built-in ${name}, whose answers differ from those of the original on purpose: docs/catalog.md, ${rows.length === 1 ? 'row' : 'rows'} ${nameFirst(rows, rows.length, String)}`,
      }),
  )
}
