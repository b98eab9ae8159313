import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import type { VariantChange } from '../../src/fleet/change.ts'
import type { FleetPlan } from '../../src/fleet/plan-fan-out.ts'
import { decodeUtf8 } from '../../src/folder/file-encoding.ts'
import { listGitFiles, topOf } from '../../src/git/git.ts'
import { GitError, type GitRepository } from '../../src/git/run-git.ts'
import { equalJson, isRecord, type JsonValue, lookup, scalarText } from '../../src/json.ts'
import { withoutFleet } from '../../src/lifecycle/owner-annotation.ts'
import type { RenderedStep } from '../../src/render/made-packages.ts'
import type { RaisedFolder } from '../../src/render/render-request.ts'
import { groupOf } from '../../src/resource-list/identity.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { KPTFILE } from '../../src/resource-list/package-of.ts'
import { FunctionError, type Result } from '../../src/result.ts'
import { VARIANT_ANNOTATION } from '../../src/well-known.ts'
import { folderAbove, ownerLine } from '../diff/state-packages.ts'
import type { FleetChoices } from '../fleet/fleet-options.ts'
import type { FleetReading } from '../fleet/fleet-reading.ts'
import { findPlaceFaults } from '../fleet/place-faults.ts'
import type { Host } from '../host.ts'
import { pathIn } from '../print/print-results.ts'
import type { FleetRenderRequest } from '../render/fleet-to-render.ts'
import { isRefusalOfFiles } from '../render/refusals-of-files.ts'
import type { RenderLook } from '../render/render-fleet.ts'
import { PACKAGE_OPERATIONS, type PackageCounts, viewRender } from '../render/render-view.ts'
import { runRender } from '../render/run-render.ts'
import { UsageError } from '../usage-error.ts'

/** The changes that `render` would make to the packages of a fleet, as far as they can be computed without the network. */
export interface PackageChanges {
  /** Present if the fleet has rendered packages, or names their folder. */
  readonly counts?: PackageCounts
  /** How many of the updates change only the name of the fleet that a package records: the first commit or a new remote changes that name. */
  readonly fleetNames?: number
  /** The reason why existing packages could not be compared. */
  readonly unknown?: string
  /**
   * If no rendered package is found: the number of variants that inject an object whose configuration changed since the revision of
   * `--against`.
   */
  readonly injecting?: number
  /** The subpackages that get another revision of an upstream of their own, by their folders below that of all packages. */
  readonly subpackages?: readonly RaisedFolder[]
}

/** Returns true for a refusal of a render that plan reports: one that depends on files alone, or a moved tag. */
function isReported(result: Result): boolean {
  return result.tags.rule === 'upstream-moved' || isRefusalOfFiles(result)
}

/** The changes of packages, and the findings about their places and about removals that `render` refuses. */
export interface ComparedPackages {
  readonly changes: PackageChanges
  readonly results: readonly Result[]
}

/** The inputs of the comparison: a folder, the variants that its sets ask for, and the objects then and now. */
export interface PlannedPackages {
  readonly fleet: FleetReading
  readonly plan: FleetPlan
  readonly variants: readonly VariantChange[]
  /** The choices of the caller. */
  readonly asked: Omit<FleetChoices, 'out'> & {
    readonly packages?: string
    readonly discardEdits?: boolean
    readonly followRenames?: boolean
  }
  /** With `--against`: the objects of that revision, and the repository. */
  readonly earlier?: { readonly items: readonly KrmObject[]; readonly repository: GitRepository }
}

/**
 * Counts the packages that `render` would change: a variant may stay as it is while an object that it injects, or the upstream behind a tag,
 * does not. The packages are where the RenderVariants says; else where a Kptfile of the folder, or with `--against` of its repository, names one
 * of the variants as its owner. Nothing is written, and git repositories are read from earlier clones only.
 */
export async function countPackageChanges(planned: PlannedPackages, host: Host): Promise<ComparedPackages> {
  const { fleet, asked } = planned
  const { packages } = asked
  let results: readonly Result[] = []
  const unknown = (message: string): ComparedPackages => ({ changes: { unknown: message, ...injectingOf(planned) }, results })
  try {
    const configured = fleet.options.out
    const out = packages ?? (configured === undefined ? renderedFolder(planned, host) : undefined)
    if (configured === undefined && out === undefined) return { changes: injectingOf(planned), results }
    results = findPlaceFaults(out === undefined ? fleet : fleet.withOut(out), planned.plan).map(asRender)
    const request = {
      fanOut: true,
      run: 'known' as const,
      offline: true,
      allowOutside: true,
      dryRun: true,
      ...(out !== undefined && { out }),
      ...choicesOf(asked),
    }
    const { changes, refusals } = await renderedChanges(fleet, request, host)
    return { changes, results: [...results, ...refusals] }
  } catch (error) {
    if (error instanceof FunctionError) {
      results = [...results, ...error.results.filter(isReported)]
      return unknown(error.results.find(({ severity }) => severity === 'error')?.message ?? '')
    }
    if (error instanceof UsageError || error instanceof GitError) return unknown(error.message)
    throw error
  }
}

/** Returns the choices of the caller that `render` takes too. */
function choicesOf({ config, cluster, discardEdits, followRenames }: PlannedPackages['asked']): Partial<FleetRenderRequest> {
  return {
    ...(config !== undefined && { config }),
    ...(cluster !== undefined && { cluster }),
    ...(discardEdits !== undefined && { discardEdits }),
    ...(followRenames !== undefined && { followRenames }),
  }
}

/** Returns a package of another fleet as an error, also in a copy of files without git: `render` would refuse it there. */
function asRender(result: Result): Result {
  return result.tags.rule === 'other-fleet' ? { ...result, severity: 'error' } : result
}

/** Returns the changes of a render that writes nothing, and what it refuses of them. */
async function renderedChanges(
  reading: FleetReading,
  request: FleetRenderRequest,
  host: Host,
): Promise<{ readonly changes: PackageChanges; readonly refusals: readonly Result[] }> {
  const subpackages: RaisedFolder[] = []
  let fleetNames = 0
  const look: RenderLook['look'] = (rendered, fate) => {
    const { step, made } = rendered
    if (fate === 'updated' && changesFleetName(rendered)) fleetNames += 1
    for (const raised of made.raised ?? []) subpackages.push({ ...raised, folder: `${step.folder}/${raised.folder}` })
  }
  const report = await runRender(reading.dir, request, host, { reading, look })
  const { counts } = viewRender([], report, { diff: false, isDryRun: true })
  const of = (fate: 'created' | 'moved' | 'updated') => report.fates.get(fate) ?? 0
  const changes = {
    counts: { ...counts, create: of('created'), move: of('moved'), update: of('updated') },
    ...(fleetNames > 0 && { fleetNames }),
  }
  const refusals = report.results.filter((result) => result.severity === 'error' && isReported(result))
  return { changes: subpackages.length === 0 ? changes : { ...changes, subpackages }, refusals }
}

/** Returns true if a package changes only in the name of its fleet. */
function changesFleetName(rendered: RenderedStep): boolean {
  const [first, ...others] = rendered.changes
  const [before, after] = [rendered.before(KPTFILE), rendered.bytesOf(KPTFILE)]
  if (first?.path !== KPTFILE || others.length > 0 || before === undefined || after === undefined) return false
  return withoutFleet(decodeUtf8(before) ?? '') === withoutFleet(decodeUtf8(after) ?? '')
}

/** Returns true where a package would change, or may. */
export function changesPackages({ counts, injecting = 0 }: PackageChanges): boolean {
  return injecting > 0 || (counts !== undefined && PACKAGE_OPERATIONS.some((op) => counts[op] > 0))
}

/**
 * Returns the folder that holds REPOSITORY/PACKAGE of a variant with the variant's annotation, as the caller would name the folder;
 * undefined if none does.
 */
function renderedFolder({ fleet: { dir, read }, variants, earlier }: PlannedPackages, host: Host): string | undefined {
  const owners = new Map(
    variants.flatMap(({ why, namespace, name }) => (why === undefined ? [] : [[`${why.repo}/${why.package}`, `${namespace}/${name}`]])),
  )
  for (const { kind, file, annotations } of read.list.items) {
    if (kind !== KPTFILE || file === undefined) continue
    const out = folderAbove(pathIn(dir, file.path), owners, (owner) => annotations.get(VARIANT_ANNOTATION) === owner)
    if (out !== undefined) return posix.join(dir, out)
  }
  return earlier === undefined ? undefined : renderedInRepository(owners, earlier.repository, host)
}

/** Returns the same folder, found among the Kptfiles of git's HEAD that exist on disk. */
function renderedInRepository(owners: ReadonlyMap<string, string>, repository: GitRepository, host: Host): string | undefined {
  const top = topOf(repository)
  const { files } = listGitFiles(repository, 'HEAD', { folder: '', isUsed: (path) => path.endsWith(`/${KPTFILE}`) })
  for (const { path } of files) {
    const place = join(top, path)
    const holds = (owner: string) => existsSync(place) && readFileSync(place, 'utf8').includes(ownerLine(owner))
    const out = folderAbove(path, owners, holds)
    if (out !== undefined) return posix.relative(host.locate('.'), join(top, out)) || '.'
  }
  return undefined
}

/** Counts the variants that name an object in their injectors whose `spec` or `data` is another one than it was. */
function injectingOf({ variants, fleet, earlier }: PlannedPackages): Pick<PackageChanges, 'injecting'> {
  if (earlier === undefined) return {}
  const injectors = variants.map(({ after }) => injectorsOf(after))
  const names = new Set(injectors.flatMap((each) => each.map(({ name }) => name)))
  const [before, now] = [configurations(earlier.items, names), configurations(fleet.read.list.items, names)]
  const changed = [...new Map([...before, ...now])].flatMap(([key, { object }]) =>
    equalJson(before.get(key)?.value, now.get(key)?.value) ? [] : [object],
  )
  const injecting = injectors.filter((each) => each.some((injector) => changed.some((object) => isNamed(injector, object)))).length
  return injecting === 0 ? {} : { injecting }
}

interface Injector {
  readonly group: JsonValue | undefined
  readonly kind: JsonValue | undefined
  readonly name: string
}

function injectorsOf(spec: JsonValue | undefined): readonly Injector[] {
  const list = isRecord(spec) ? lookup(spec, 'injectors') : undefined
  if (!Array.isArray(list)) return []
  return list.filter(isRecord).map((each) => ({
    group: lookup(each, 'group'),
    kind: lookup(each, 'kind'),
    name: scalarText(lookup(each, 'name')),
  }))
}

function isNamed({ group, kind, name }: Injector, object: KrmObject): boolean {
  return (
    object.name === name &&
    (kind === undefined || kind === object.kind) &&
    (group === undefined || group === groupOf(object.apiVersion ?? ''))
  )
}

interface Configuration {
  readonly object: KrmObject
  readonly value: JsonValue | undefined
}

/** Returns the configuration that would be injected of each object with one of the names. */
function configurations(items: readonly KrmObject[], names: ReadonlySet<string>): ReadonlyMap<string, Configuration> {
  const found = items.filter(({ name = '' }) => names.has(name))
  return new Map(
    found.map((object) => {
      const { apiVersion, kind, name, namespace } = object
      const value = object.get([kind === 'ConfigMap' ? 'data' : 'spec'])
      return [JSON.stringify([apiVersion, kind, namespace, name]), { object, value }]
    }),
  )
}
