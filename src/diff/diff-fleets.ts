import { compareText } from '../field-path.ts'
import { type JsonRecord, scalarText } from '../json.ts'
import type { PackageFiles } from '../merge/package-files.ts'
import { type Calls, inTurns, known, turn } from '../pipeline/calls.ts'
import type { Steps } from '../progress.ts'
import { remember } from '../remember.ts'
import { repositoryOf } from '../render/disk/disk-places.ts'
import { GroupedFindings } from '../render/grouped-findings.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { FunctionError, hasErrors } from '../result.ts'
import { namespacedName } from '../variant/find-variant.ts'
import { ByPair } from './by-pair.ts'
import type { WantedChange } from './causes/attribution.ts'
import { Causes, type CausesOf, EDITED, NOT_RENDERED } from './causes/causes.ts'
import { ChainLinks } from './causes/chain-links.ts'
import { byCauses, causesOfRename, partOf } from './causes/parts-by-cause.ts'
import { ChangeGroups, type ObjectChange } from './change-groups.ts'
import { ClusterObjects, objectsOfPair } from './cluster-objects.ts'
import { countDangers } from './dangers/danger-counts.ts'
import type { DangerousChange, PackageObjects } from './dangers/danger-rule.ts'
import { dangersOf, type FoundDanger } from './dangers/dangers.ts'
import { LostWithPackages } from './dangers/lost-with-packages.ts'
import { asksCluster } from './dangers/outages.ts'
import { losesPackage } from './dangers/package-dangers.ts'
import { losesGuard } from './dangers/weaker-guards.ts'
import { Deployers } from './deployers.ts'
import { expressionValues } from './expression-values.ts'
import { fieldChanges } from './field-changes.ts'
import { type FleetState, ofPackagesInMemory, type PackageStep, type VariantOrigin } from './fleet-state.ts'
import { IgnoredChanges } from './ignored-changes.ts'
import { imageChanges } from './images-listed.ts'
import { comparedContent, nameOfObject, type ObjectPair, PackageComparison, shownText } from './package-objects.ts'
import { type PackagePair, packagePairs } from './package-pairs.ts'
import type {
  ChangeCause,
  ChangedField,
  ChangedObject,
  ChangePlace,
  DiffReport,
  ObjectOperation,
  ObjectRemoval,
  PackageEntry,
} from './report.ts'
import { countRings, withRings } from './ring-counts.ts'

/** The options of a comparison of two states. */
export interface DiffOptions {
  /** True if a change of comments is a change. */
  readonly withComments: boolean
  /** Returns true for a package, REPOSITORY/PACKAGE, to be compared; absent: all are. */
  readonly isAsked?: ((folder: string) => boolean) | undefined
  /** Shown each package that differs, with its files in both states. */
  readonly look?: (folder: string, before: PackageFiles, after: PackageFiles) => void
}

/**
 * Compares two states of a fleet, package by package, and yields the progress. The errors of packages that cannot be rendered are among the
 * results of the report; such a package is not compared.
 */
export function* diffFleets(from: FleetState, to: FleetState, options: DiffOptions): Steps<DiffReport> {
  const run = new DiffRun(from, to, options)
  const { folders: all, pairOf, failed, behind } = packagePairs(from, to, run.links, run.findings)
  const folders = options.isAsked === undefined ? all : all.filter(options.isAsked)
  const total = folders.length
  const left = new Map<string, number>()
  for (const folder of folders) left.set(repositoryOf(folder), (left.get(repositoryOf(folder)) ?? 0) + 1)
  const compare = function* (folder: string): Calls<void> {
    const pair = yield* pairOf(folder)
    yield* turn()
    if (pair !== undefined) yield* run.take(pair)
    const count = (left.get(repositoryOf(folder)) ?? 0) - 1
    left.set(repositoryOf(folder), count)
    if (count === 0) run.clusters.forget(repositoryOf(folder))
  }
  yield* inTurns(folders, compare, () => true)
  yield { done: total, total }
  const unmatched = [from, to].flatMap(({ plan }) => plan.renderContext.functions?.unmatched ?? [])
  run.findings.add('', unmatched)
  // No function has run if one of the fleet has no runner: the changes are not those that `render` would make.
  if (hasErrors(unmatched))
    throw new FunctionError(ofPackagesInMemory(run.findings.results(), to).filter(({ severity }) => severity !== 'info'))
  return run.report(total, failed.size, behind)
}

type ChangeInPackage = DangerousChange & Required<Pick<DangerousChange, 'objects'>>

/** The changes that were found until now. */
class DiffRun {
  readonly findings = new GroupedFindings()
  readonly links: ChainLinks
  readonly #from: FleetState
  readonly #to: FleetState
  readonly #options: DiffOptions
  readonly #comparison: PackageComparison
  readonly #causes: Causes
  readonly clusters: ClusterObjects
  readonly #groups = new ChangeGroups()
  readonly #entries: Omit<PackageEntry, 'groups'>[] = []
  readonly #deployers: { readonly from: Deployers; readonly to: Deployers }
  readonly #kubernetesVersion: string | undefined
  readonly #ignored: IgnoredChanges
  readonly #lostWithPackages: LostWithPackages
  readonly #fields = new ByPair<KrmObject, readonly ChangedField[]>()
  readonly #dangers = new ByPair<KrmObject, readonly FoundDanger[]>()

  constructor(from: FleetState, to: FleetState, options: DiffOptions) {
    this.#from = from
    this.#to = to
    this.#options = options
    this.#comparison = new PackageComparison(options)
    this.links = new ChainLinks(from, to)
    this.clusters = new ClusterObjects(from, to, this.links.comparison)
    this.#causes = new Causes(from, to)
    this.#deployers = { from: new Deployers(from.items), to: new Deployers(to.items) }
    this.#kubernetesVersion = kubernetesVersionOf(to)
    this.#ignored = new IgnoredChanges(to.items)
    this.#lostWithPackages = new LostWithPackages(from.items)
  }

  /** Adds the changes of one package. */
  *take(pair: PackagePair): Calls<void> {
    const { folder, before, after } = pair
    const step = pair.to ?? pair.from
    const { pairs, isLocal } = this.#comparison.compare(before ?? NO_FILES, after ?? NO_FILES)
    if (pairs.length === 0 && !isLocal && pair.fate === 'changed') return
    this.#options.look?.(folder, before ?? NO_FILES, after ?? NO_FILES)
    const origin = step && this.#causes.originOf(step)
    const place = placeOf(folder, step, origin)
    const { package: _, ...owner } = place
    const values = {
      before: expressionValues(pair.from && this.#causes.originIn('from', pair.from)),
      after: expressionValues(pair.to && this.#causes.originIn('to', pair.to)),
    }
    const causesOf = this.causesIn(pair)
    const objects = objectsOfPair(pair)
    const shown: boolean[] = []
    for (const each of pairs) shown.push(yield* this.#addObject(each, causesOf, { place, values }, objects))
    // A package of which everything is ignored is counted with what is ignored.
    if (pairs.length > 0 && !shown.includes(true)) return
    const fate = pairs.length === 0 && pair.fate === 'changed' ? 'local' : pair.fate
    this.#entries.push({ folder, ...owner, fate })
  }

  /** Returns a function that returns the causes of a change in a package. */
  causesIn({ from, to, inputs, folders, fate }: PackagePair): CausesOf {
    const isEdited = inputs.some(({ type }) => type === 'edit')
    if (to !== undefined && from === undefined && !isEdited) return always(this.#causes.targets.ofCreated(to))
    if (fate === 'removed' && from !== undefined) return always(this.#causes.targets.ofRemoved(from))
    if (from === undefined || to === undefined) return always([withoutVariant(fate, isEdited)])
    if (fate === 'created') return always([this.#causes.ofFirstRender({ from, to })])
    return this.#causes.inPackage(this.links.changed({ from, to, inputs, ...(folders && { folders }) }))
  }

  *#addObject(
    pair: ObjectPair,
    causesOf: CausesOf,
    where: Pick<ObjectChange, 'place' | 'values'>,
    objects: () => PackageObjects,
  ): Calls<boolean> {
    const { before, after } = pair
    const values = { ...(before && { before: comparedContent(before) }), ...(after && { after: comparedContent(after) }) }
    const names = { ...(before && { before: nameOfObject(before) }), ...(after && { after: nameOfObject(after) }) }
    const op = operationOf(pair)
    const all = before && after ? this.#fieldsOf(before, after) : []
    const removal = this.#removalOf(op, where.place.package, values.before)
    const change = { op, fields: all, ...values, objects, isLeft: removal?.isPruned === false }
    const dangers = yield* this.#dangersOf(pair, change, where.place.cluster)
    const kind = (after ?? before)?.kind ?? ''
    const fields = this.#ignored.left({ kind, cluster: where.place.cluster, fields: all, dangers })
    if (fields === undefined) return false
    const whole = { ...names, value: values.after, old: values.before }
    const caused = { ...values, names, causesOf, pair }
    const others = op === 'rename' ? fields.filter(({ path }) => path !== 'metadata.name' && path !== 'metadata.namespace') : []
    const parts =
      op === 'change'
        ? yield* byCauses(fields, caused)
        : [{ fields, causes: causesOfRename(yield* causesOf(whole, pair), yield* byCauses(others, caused)) }]
    const texts = () => ({ ...(before && { before: shownText(before) }), ...(after && { after: shownText(after) }) })
    const object = changedObject(op, names, values.after)
    for (const [i, part] of parts.entries())
      this.#groups.add({
        ...{ op, object, ...part, dangers: dangers.filter((danger) => partOf(danger, parts) === i), ...where, texts },
        ...(removal && { removal }),
      })
    return true
  }

  /**
   * Returns the dangers of a change on a cluster, whose other packages are read if the change is about their objects too. Those of an
   * object that packages share are found once, if no rule asks for another object.
   */
  *#dangersOf({ before, after }: ObjectPair, change: ChangeInPackage, cluster: string): Calls<readonly FoundDanger[]> {
    const pair = change.op === 'change' && before && after ? ([before, after] as const) : undefined
    const known = pair && this.#dangers.get(...pair)
    if (known !== undefined) return known
    let isOfObject = !(asksCluster(change) || losesPackage(change) || losesGuard(change))
    const inCluster = isOfObject ? undefined : yield* this.clusters.of(cluster)
    const objects = (): PackageObjects => {
      isOfObject = false
      return change.objects()
    }
    const found = dangersOf({
      ...change,
      objects,
      lostWithPackages: this.#lostWithPackages,
      ...(inCluster && { inCluster: () => inCluster }),
      ...(this.#kubernetesVersion !== undefined && { kubernetesVersion: this.#kubernetesVersion }),
    })
    return pair && isOfObject ? this.#dangers.set(...pair, found) : found
  }

  /** Returns what the deployer of a package does with an object; where TO does not say who applies the package, as FROM says. */
  #removalOf(op: ObjectOperation, folder: string, object: JsonRecord | undefined): ObjectRemoval | undefined {
    if (object === undefined || (op !== 'delete' && op !== 'rename')) return undefined
    return this.#deployers.to.removalOf(folder, object) ?? this.#deployers.from.removalOf(folder, object)
  }

  /** Returns the changes of an object. Packages share objects, so most are compared once. */
  #fieldsOf(before: KrmObject, after: KrmObject): readonly ChangedField[] {
    return this.#fields.of(before, after, () => {
      const fields = fieldChanges(comparedContent(before), comparedContent(after))
      return fields.length > 0 || !this.#options.withComments ? fields : [commentChange(before, after)]
    })
  }

  report(packages: number, failed: number, behind: ReadonlyMap<string, number>): DiffReport {
    const ignored = this.#ignored.counts()
    const notFollowed = Array.from(behind, ([upstream, count]) => ({ upstream, packages: count }))
    const groups = this.#groups.groups()
    const groupsOf = new Map<string, string[]>()
    for (const { id, places } of groups) for (const place of places) remember(groupsOf, place.package, () => []).push(id)
    const entries = this.#entries
      .map((entry): PackageEntry => ({ ...entry, groups: groupsOf.get(entry.folder) ?? [] }))
      .sort((a, b) => compareText(a.folder, b.folder))
    const changed = entries.filter((entry) => entry.groups.length > 0)
    const rings = countRings(changed, [this.#to, this.#from])
    return {
      from: this.#from.name,
      to: this.#to.name,
      packagesAre: this.#to.committed === undefined ? 'rendered' : 'committed',
      counts: {
        packages,
        changed: changed.length,
        local: entries.length - changed.length,
        ...(failed > 0 && { failed }),
        clusters: new Set(changed.map(({ cluster }) => cluster)).size,
        groups: groups.length,
      },
      groups: withRings(groups, rings),
      dangers: countDangers(groups, changed, [this.#from, this.#to]),
      ...(rings.length > 0 && { rings }),
      images: imageChanges(groups),
      ...(ignored.length > 0 && { ignored }),
      ...(notFollowed.length > 0 && { notFollowed }),
      packages: entries,
      results: ofPackagesInMemory(this.findings.results(), this.#to),
    }
  }
}

const NO_FILES: PackageFiles = new Map()

const VERSION_KINDS: ReadonlySet<string> = new Set(['CheckDependencies', 'ResolveDependencies'])

/** Returns the version of Kubernetes that a fleet names; undefined if it names none, or several. */
function kubernetesVersionOf({ items }: FleetState): string | undefined {
  const versions = items.flatMap((item) => {
    const version = VERSION_KINDS.has(item.kind ?? '') ? item.get(['spec', 'cluster', 'kubernetesVersion']) : undefined
    return version === undefined ? [] : [scalarText(version)]
  })
  return new Set(versions).size === 1 ? versions[0] : undefined
}

function always<Value>(value: Value): () => Calls<Value> {
  return () => known(value)
}

/** Returns the cause of a change in a package that one of the fleets has no variant for. */
function withoutVariant(fate: PackagePair['fate'], isEdited: boolean): ChangeCause {
  if (isEdited) return { kind: 'edit', text: EDITED }
  if (fate === 'created') return { kind: 'edit', text: 'the package was added, though no variant asks for it' }
  return { kind: 'not-rendered', text: fate === 'removed' ? 'render removes the package, since no variant asks for it' : NOT_RENDERED }
}

function isOther(before: KrmObject, after: KrmObject): boolean {
  return before.name !== after.name || (before.namespace ?? '') !== (after.namespace ?? '')
}

function placeOf(
  folder: string,
  step: PackageStep | undefined,
  origin: VariantOrigin | undefined,
): Omit<ChangePlace, 'objects' | 'fields'> {
  const cluster = repositoryOf(folder)
  const ring = origin?.change.why?.place.ring
  return {
    cluster,
    package: folder,
    ...(step && { variant: namespacedName(step.variant.object) }),
    ...(origin && { set: `${origin.plan.owner.namespace}/${origin.plan.owner.name}` }),
    ...(ring && { ring: ring.name }),
  }
}

export function operationOf({ before, after }: ObjectPair): ObjectOperation {
  if (before === undefined) return 'create'
  if (after === undefined) return 'delete'
  return isOther(before, after) ? 'rename' : 'change'
}

function changedObject(
  op: ObjectOperation,
  { before, after }: Pick<WantedChange, 'before' | 'after'>,
  value: JsonRecord | undefined,
): ChangedObject {
  const name = after ?? before ?? { apiVersion: '', kind: '', name: '' }
  return { ...name, ...(op === 'rename' && before && { was: before }), ...(op === 'create' && value && { value }) }
}

function commentChange(before: KrmObject, after: KrmObject): ChangedField {
  return { path: '#', steps: [], before: commentsOf(before), after: commentsOf(after), isComment: true }
}

/** Returns the lines of an object that are or end in comments. */
function commentsOf(object: KrmObject): string {
  return object
    .toText()
    .split('\n')
    .filter((line) => line.includes('#'))
    .map((line) => line.trim())
    .join('\n')
}
