import { groupBy } from '../group-by.ts'
import { readKptfileUpstream } from '../kinds/kptfile-upstream.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { isKptfile } from '../resource-list/package-of.ts'
import { findingsOf, type Result } from '../result.ts'
import { faultToResult } from '../schema/fault.ts'
import { CONTEXT_FILE } from '../variant/package-context.ts'
import { nameFirst } from '../wording.ts'
import { checkConfigs } from './check-configs.ts'
import { pipelinePaths } from './condition.ts'
import { imageFault } from './image.ts'
import { builtinVersion, findRunners, type Runners, unmatchedResult } from './match.ts'
import { PackageItems, packageFolder } from './package-items.ts'
import { functionsIn, type PipelineStep, pipelineFaults } from './pipeline-steps.ts'

/**
 * Returns the findings about the functions in Kptfiles, PackageVariants and the templates of sets, before one runs: pipelines that kpt
 * refuses, images that nothing here can run, functionConfigs that a built-in function refuses or ignores, and versions with deliberate
 * differences from the original.
 *
 * @param isCloned  returns true for the folder of an upstream package, which is run as a clone of it and not as it is
 */
export function checkPipelines(
  items: readonly KrmObject[],
  runners: Runners,
  isCloned: (folder: string) => boolean = () => false,
): readonly Result[] {
  const inFiles = items.filter(({ file }) => file !== undefined)
  const packages = new PackageItems(inFiles)
  const steps = inFiles.flatMap((object) => pipelinePaths(object).flatMap((path) => functionsIn(object, path)))
  const sound = steps.filter(({ image }) => imageFault(image) === undefined)
  return [
    ...inFiles.filter(({ file }) => isKptfile(file?.path ?? '')).flatMap((kptfile) => kptfileFaults(kptfile, packages, isCloned)),
    ...unmatched(sound, runners),
    ...checkConfigs(sound, packages, runners),
    ...differences(sound, runners),
  ]
}

/** Returns what `run` refuses in a Kptfile, and the faults of its `upstream` and `upstreamLock`, which kpt refuses on an update. */
function kptfileFaults(kptfile: KrmObject, packages: PackageItems, isCloned: (folder: string) => boolean): readonly Result[] {
  const isClone = isCloned(packageFolder(kptfile))
  const inClone: readonly (readonly [string, number])[] = isClone ? [[CONTEXT_FILE, 1]] : []
  const countFiles = () => new Map([...inClone, ...Array.from(packages.of(kptfile), ([path, items]) => [path, items.length] as const)])
  const upstream = readKptfileUpstream(kptfile).faults.map((fault) => faultToResult(kptfile, fault))
  const faults = findingsOf(() => pipelineFaults(kptfile, countFiles))
  // The kind and version of the Kptfile of an upstream package are a finding about the upstream.
  return [...(isClone ? faults.filter(({ tags }) => tags.rule !== 'kptfile') : faults), ...upstream]
}

/** Returns an info for each image that nothing can run here, with the number of packages that need it. `render` and `run` refuse these. */
function unmatched(steps: readonly PipelineStep[], runners: Runners): readonly Result[] {
  const found = findRunners(steps, runners).unmatched.filter(({ rule }) => rule === 'no-runner')
  return [...groupBy(found, ({ message }) => message).values()].map((same): Result => {
    const packages = same.filter(({ step }) => step.kptfile.kind === 'Kptfile')
    return { ...unmatchedResult(same[0], new Set(packages.map(({ step }) => step.kptfile)).size), severity: 'info' }
  })
}

/** Returns an info for each version of a built-in function whose answers differ from the original on purpose. */
function differences(steps: readonly PipelineStep[], runners: Runners): readonly Result[] {
  const known = steps.flatMap((step) => {
    const found = builtinVersion(step, runners)
    const rows = found?.builtin.notes?.(found.version).differences ?? []
    return found === undefined || rows.length === 0 ? [] : [{ step, name: `${found.builtin.name} ${found.version}`, rows }]
  })
  return [...groupBy(known, ({ name }) => name)].map(([name, [{ step, rows }]]) =>
    faultToResult(step.kptfile, {
      severity: 'info',
      rule: 'known-differences',
      path: [...step.field, 'image'],
      message: `runs the built-in ${name}, whose answers differ from those of the original on purpose: docs/catalog.md, ${rows.length === 1 ? 'row' : 'rows'} ${nameFirst(rows, rows.length, String)}`,
    }),
  )
}
