import { emptyPackage } from '../../src/catalog/config-findings.ts'
import { groupBy } from '../../src/group-by.ts'
import { placeInKptfile } from '../../src/kinds/kptfile-config-map.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { ResourceList } from '../../src/resource-list/resource-list.ts'
import { FunctionError, formatResourceRef, type Result } from '../../src/result.ts'
import { OWN_API } from '../../src/well-known.ts'
import { pipelineConfigs } from '../function-config.ts'
import { FUNCTIONS } from '../generated/registry.ts'
import type { CheckedFolder } from './check-folder.ts'

/** A functionConfig of a function of ours, and the Kptfiles that may hold it. */
interface Configured {
  readonly name: string
  readonly config: KrmObject
  readonly kptfiles: readonly KrmObject[]
}

/** Returns the faults of every functionConfig of our functions: those that pipelines name, and objects of the functions' own kinds. */
export async function checkOwnConfigs(items: readonly KrmObject[], outOf: CheckedFolder['outOf']): Promise<readonly Result[]> {
  const kptfiles = items.filter(({ kind, file }) => kind === 'Kptfile' && file !== undefined)
  const byPath = groupBy(items, ({ file }) => file?.path)
  const objectAt = (path: string) => byPath.get(path)?.[0]
  const named = kptfiles.flatMap((kptfile) =>
    [...FUNCTIONS.keys()].flatMap((name) =>
      pipelineConfigs(kptfile, name, objectAt).map((config) => ({ name, config, kptfiles: [kptfile] })),
    ),
  )
  const known = new Set(named.map(({ config }) => config))
  const loose = items.flatMap((config) => {
    const name = known.has(config) ? undefined : functionOfKind(config)
    return name === undefined ? [] : [{ name, config, kptfiles: [] }]
  })
  const results = await Promise.all([...named.filter(isOption).map(checkConfig), ...loose.filter(isOption).map(checkLoose)])
  return results.flat()

  /** The tool reads options that no pipeline names, and takes an `out` that the function refuses. */
  async function checkLoose(configured: Configured): Promise<readonly Result[]> {
    const found = await checkConfig(configured)
    if (configured.name !== 'render-variants' || outOf === undefined) return found
    return [...found.filter(({ tags }) => tags.rule !== 'package-path'), ...outOf(configured.config)]
  }
}

/** Returns the function that an object's kind configures, `fan-out` for `FanOut`; undefined for any other kind. */
function functionOfKind({ apiVersion, kind = '' }: KrmObject): string | undefined {
  const name = kind.replace(/\B[A-Z]/g, (letter) => `-${letter}`).toLowerCase()
  return apiVersion === OWN_API && FUNCTIONS.has(name) ? name : undefined
}

/**
 * Returns true for a functionConfig that only configures a function. PackageVariants, PackageVariantSets and PackageVariantMatrices are
 * checked as such, in any place, and a GenerateSync with the variants of the fleet.
 */
function isOption({ config }: Configured): boolean {
  const { kind } = config
  return !isGenerateSync(config) && kind !== 'PackageVariant' && kind !== 'PackageVariantSet' && kind !== 'PackageVariantMatrix'
}

/** Runs the function on a package without resources and returns its findings on the functionConfig. */
async function checkConfig({ name, config, kptfiles }: Configured): Promise<readonly Result[]> {
  const run = await FUNCTIONS.get(name)?.()
  const list = ResourceList.of([emptyPackage()], config)
  try {
    run?.(list)
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error
    list.results.push(...error.results)
  }
  const ref = formatResourceRef(config.ref)
  const about = list.results.filter(({ resourceRef }) => resourceRef !== undefined && formatResourceRef(resourceRef) === ref)
  return placeInKptfile(about, () => ResourceList.of(kptfiles, config))
}

/** Returns true for the options of `sync`. */
export function isGenerateSync({ apiVersion, kind }: KrmObject): boolean {
  return apiVersion === OWN_API && kind === 'GenerateSync'
}
