import type { JsonValue } from '../json.ts'
import { objectsIn, type PackageFiles } from '../merge/package-files.ts'
import { isKptfile, KPTFILE } from '../resource-list/package-of.ts'
import type { Result } from '../result.ts'
import { configFile } from '../variant/pipeline-function.ts'
import { functionsIn, type PipelineStep } from './pipeline-steps.ts'
import { setterWarnings } from './step-warnings.ts'

/** Matches the image of a function that writes no comment and adds no resource: the setters of a package are the same after it. */
const KEEPS_SETTERS =
  /(?:^|\/)(?:apply-replacements|apply-setters|ensure-name-substring|list-setters|set-annotations|set-image|set-labels|set-namespace)(?:[:@]|$)/

/**
 * Returns the warnings about setters that a package will have when its functions run, as far as they are certain before: those of functions
 * that get all resources, up to the first function that may write a comment or add a resource.
 *
 * @param files  the files of the package
 * @param added  the functions that run before those of the package, such as the functions of a variant
 */
export function settersAhead(files: PackageFiles, added: readonly PipelineStep[]): readonly Result[] {
  const below = [...files].flatMap(([path, content]) => (isKptfile(path) && path !== KPTFILE ? objectsIn(content) : []))
  if (!below.every((kptfile) => functionsIn(kptfile).every(keepsSetters))) return []
  const steps = [...added, ...objectsIn(files.get(KPTFILE)).flatMap((kptfile) => functionsIn(kptfile))].filter(isMutator)
  const end = steps.findIndex((step) => !keepsSetters(step))
  const selected = [...files.values()].flatMap((content) => objectsIn(content)).map((object) => ({ object }))
  return (end === -1 ? steps : steps.slice(0, end))
    .filter(getsAll)
    .flatMap((step) => setterWarnings(step, { selected, config: () => configOf(step, files) }))
}

function isMutator({ stage }: PipelineStep): boolean {
  return stage === 'mutators'
}

function keepsSetters({ image }: PipelineStep): boolean {
  return KEEPS_SETTERS.test(image)
}

/** Returns true for a function that runs in any case, on all resources. */
function getsAll({ when, selectors, exclude }: PipelineStep): boolean {
  return when === undefined && selectors.length === 0 && exclude.length === 0
}

/** Returns the functionConfig of a function; undefined if it is no one resource of a file. */
function configOf({ configMap, configPath, configRef }: PipelineStep, files: PackageFiles): JsonValue | undefined {
  if (configRef !== undefined) return undefined
  if (configPath === '') return { data: Object.fromEntries(configMap) }
  const [config, ...others] = objectsIn(files.get(configFile(configPath)))
  return others.length > 0 ? undefined : config?.toJson()
}
