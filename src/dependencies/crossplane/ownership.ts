import { groupBy } from '../../group-by.ts'
import { scalarText } from '../../json.ts'
import { remember } from '../../remember.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { formatResourceRef } from '../../result.ts'
import { type Finding, listNames, listSome } from '../finding.ts'
import { resolveClaims } from '../owners.ts'
import type { PackageIndex } from '../package-index.ts'
import { nameOfBrought } from '../reading/catalog.ts'
import { type ControllerStep, type Reconciliation, setStep } from '../reading/ecosystem.ts'
import { fieldAt, itemFields } from '../reading/field.ts'
import { type ObjectOwner, type OwnerReference, ownersOf } from '../reading/object-metadata.ts'
import type { ImageRewrites } from './image-configs.ts'
import { contentName, type KnownPackages } from './known.ts'
import { type CrossplanePackage, keyOfPackage } from './objects.ts'
import { findingAt } from './package-finding.ts'
import { parseReference } from './reference.ts'
import { activeAfter, ownerOf, type ReconciledPackage, type RevisionObject, revisionsAfter } from './revisions.ts'

/** The objects in the cluster that packages bring. */
export interface Ownership {
  readonly semantics: 'current' | 'seed'
  /** Objects with owners, and those that a package brings. */
  readonly owned: readonly KrmObject[]
  /** Returns the objects of the cluster that an image brings. */
  readonly broughtBy: (image: string) => readonly KrmObject[]
  /** Returns a reason for each object of the package that another package owns already. Each reason prevents the installation. */
  readonly conflictsOf: (each: CrossplanePackage) => readonly string[]
}

/** Everything that the package manager looks at. */
export interface CrossplaneState extends Ownership {
  /** All objects but those of `cluster`. */
  readonly objects: readonly KrmObject[]
  /** The objects of kinds that run packages. */
  readonly cluster: readonly KrmObject[]
  readonly packages: readonly CrossplanePackage[]
  readonly revisions: readonly RevisionObject[]
  readonly known: KnownPackages
  readonly index: PackageIndex
  readonly rewrites: ImageRewrites
  /** The version of Crossplane, if it is known. */
  readonly crossplaneVersion?: string | undefined
}

/**
 * Returns the steps that change owners after one reconcile of each package. A revision that turned Inactive gives up control, and a deleted
 * revision is removed from the owners. An object without owners is deleted. An Active revision takes control of all its objects or of none
 * (seed 003 rules 18 to 23).
 */
export function ownershipSteps(reconciled: readonly ReconciledPackage[], ownership: Ownership): Pick<Reconciliation, 'steps' | 'findings'> {
  return new OwnerChanges(ownership).stepsAfter(reconciled)
}

interface Change {
  readonly owners: readonly OwnerReference[]
  readonly what: string
  readonly why: string
}

class OwnerChanges {
  readonly #ownership: Ownership
  /** The objects of each owner before the steps. */
  readonly #owned: ReadonlyMap<string, readonly KrmObject[]>
  readonly #owners = new Map<KrmObject, readonly OwnerReference[]>()
  readonly #changes = new Map<KrmObject, Change[]>()
  readonly #findings: Finding[] = []

  constructor(ownership: Ownership) {
    this.#ownership = ownership
    this.#owned = objectsByOwner(ownership.owned)
  }

  stepsAfter(reconciled: readonly ReconciledPackage[]): Pick<Reconciliation, 'steps' | 'findings'> {
    for (const each of reconciled) this.#release(each)
    for (const each of reconciled) this.#take(each)
    return { steps: [...this.#changes].map(([object, changes]) => this.#step(object, changes)), findings: this.#findings }
  }

  get #rules() {
    return { uidsMayDiffer: this.#ownership.semantics === 'seed' }
  }

  /** Returns the owners of an object after the changes so far; the same list until the next change. */
  #ownersOf(object: KrmObject): readonly OwnerReference[] {
    return remember(this.#owners, object, ownersOf)
  }

  #note(object: KrmObject, owners: readonly OwnerReference[], what: string, why: string): void {
    if (owners === this.#ownersOf(object)) return
    this.#owners.set(object, owners)
    this.#changes.set(object, [...(this.#changes.get(object) ?? []), { owners, what, why }])
  }

  #release(reconciled: ReconciledPackage): void {
    const { revisions, reconcile } = reconciled
    const gone = new Set((reconcile?.steps ?? []).filter(({ op }) => op === 'delete').map(({ revision }) => revision.name))
    const after = new Map(revisionsAfter(reconciled).map((each) => [each.name, each]))
    for (const { revision, owner } of revisions) {
      const had = this.#owned.get(ownerKey(owner)) ?? []
      const held = had.filter((object) => this.#ownersOf(object).some((each) => ownerKey(each) === ownerKey(owner)))
      for (const object of held) {
        const before = this.#ownersOf(object)
        if (gone.has(revision.name))
          this.#note(object, withoutOwner(before, owner, this.#rules), `loses its owner ${owner.name}`, 'that revision is deleted')
        else if (after.get(revision.name)?.state !== 'Active') {
          const released = release(before, owner, this.#rules)
          this.#note(object, released, `is owned by ${owner.name}, and controlled by it no longer`, 'an Inactive revision controls nothing')
        }
      }
    }
  }

  /**
   * Makes an Active revision the controller of all its objects, or of none if one object has another controller (seed 003 rule 23; today's
   * dry run of all objects).
   */
  #take(reconciled: ReconciledPackage): void {
    const { package: parent } = reconciled
    const active = activeAfter(reconciled)
    if (active === undefined || active.owner.uid === '') return
    const { owner, image } = active
    const parentOwner = this.#parentOwner(parent)
    const wish = { revision: owner, package: parentOwner, control: true, ...this.#rules }
    const wanted = this.#ownership.broughtBy(image).map((object) => ({
      object,
      made: establish(object.name ?? '', this.#ownersOf(object), wish),
    }))
    const errors = wanted.flatMap(({ made }) => ('error' in made ? [made.error] : []))
    if (errors.length > 0) {
      const message = `${formatResourceRef(parent.object.ref)} gets none of its objects: ${listNames(errors)}`
      this.#findings.push(findingAt(parent, 'revision-unhealthy', message))
      return
    }
    for (const { object, made } of wanted) {
      if ('error' in made || made.owners === null || sameOwners(made.owners, this.#ownersOf(object))) continue
      this.#note(object, made.owners, `is controlled by ${owner.name}`, 'the Active revision controls what it brings')
    }
  }

  // In the seed a package owns nothing but its revisions: objects go with the last of these.
  #parentOwner({ object }: CrossplanePackage): ObjectOwner | undefined {
    const owner = ownerOf(object)
    return this.#ownership.semantics === 'seed' || owner.uid === '' ? undefined : owner
  }

  #step(object: KrmObject, changes: readonly Change[]): ControllerStep {
    const last = changes.at(-1)
    const owners = last?.owners ?? []
    const name = formatResourceRef(object.ref)
    const what = `${name} ${owners.length === 0 ? 'goes' : listNames(changes.map((each) => each.what))}`
    const why = owners.length === 0 ? 'it has no owner any more' : listNames([...new Set(changes.map((each) => each.why))])
    if (owners.length === 0) return { what, why, edits: [{ type: 'remove', object }] }
    const value = owners.map(({ controller, ...owner }) => ({ ...owner, ...(controller && { controller, blockOwnerDeletion: true }) }))
    return setStep(object, [{ path: ['metadata', 'ownerReferences'], value }], what, why)
  }
}

// An object may name an owner twice.
function objectsByOwner(owned: readonly KrmObject[]): ReadonlyMap<string, readonly KrmObject[]> {
  const pairs = owned.flatMap((object) => [...new Set(ownersOf(object).map(ownerKey))].map((key) => ({ key, object })))
  const byOwner = groupBy(pairs, ({ key }) => key)
  return new Map([...byOwner].map(([key, group]) => [key, group.map(({ object }) => object)]))
}

function ownerKey({ kind, name }: Pick<ObjectOwner, 'kind' | 'name'>): string {
  return `${kind} ${name}`
}

function sameOwners(a: readonly OwnerReference[], b: readonly OwnerReference[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/**
 * The rule by which two references name one owner: the same uid, else the same kind and name. In seed 003 an owner that was restored with
 * another uid is the same owner.
 */
export interface OwnerRules {
  readonly uidsMayDiffer: boolean
}

/** The ownership that a revision asks for on an object that it brings. */
export interface Establishing extends OwnerRules {
  readonly revision: ObjectOwner
  /** The package, an owner beside its revisions today, so that objects outlive them. */
  readonly package: ObjectOwner | undefined
  /** True for an Active revision, which controls the object. */
  readonly control: boolean
}

/** The owners of an object after a step; null when the object does not exist and is not created. */
export type Established = { readonly owners: readonly OwnerReference[] | null } | { readonly error: string }

/**
 * Makes a revision an owner of an object (internal/controller/pkg/revision/establisher.go): an Active one controls it, unless another one
 * does; an Inactive one owns it, and makes nothing.
 *
 * @param object  what the object is called
 * @param before  its owners; null: it is not there
 */
export function establish(object: string, before: readonly OwnerReference[] | null, wish: Establishing): Established {
  const { control, revision, package: parent } = wish
  const parents = parent === undefined ? [] : [{ ...parent, controller: false }]
  const own = { ...revision, controller: control }
  if (before === null) return { owners: control ? [own, ...parents] : null }
  const holder = before.find((each) => each.controller && !isSame(each, revision, wish))
  if (control && holder !== undefined) {
    const uid = holder.uid === '' ? '' : ` (UID ${holder.uid})`
    return { error: `${object} is already controlled by ${holder.kind} ${holder.name}${uid}` }
  }
  return { owners: [...parents, own].reduce((owners: readonly OwnerReference[], owner) => withOwner(owners, owner, wish), before) }
}

/**
 * Returns the owners after a revision turned Inactive: the revision stays an owner and no longer controls the object. The owners are
 * unchanged if the revision owns the object without control.
 */
export function release(before: readonly OwnerReference[], revision: ObjectOwner, rules: OwnerRules): readonly OwnerReference[] {
  const own = before.find((each) => isSame(each, revision, rules))
  if (own !== undefined && !own.controller) return before
  return withOwner(before, { ...revision, controller: false }, rules)
}

/** Returns the owners that remain when one owner is deleted. An object without owners is deleted too. */
export function withoutOwner(before: readonly OwnerReference[], gone: ObjectOwner, rules: OwnerRules): readonly OwnerReference[] {
  return before.filter((each) => !isSame(each, gone, rules))
}

function withOwner(owners: readonly OwnerReference[], owner: OwnerReference, rules: OwnerRules): readonly OwnerReference[] {
  const at = owners.findIndex((each) => isSame(each, owner, rules))
  return at < 0 ? [...owners, owner] : owners.map((each, i) => (i === at ? owner : each))
}

function isSame(a: ObjectOwner, b: ObjectOwner, { uidsMayDiffer }: OwnerRules): boolean {
  if (a.uid !== '' && b.uid !== '' && !uidsMayDiffer) return a.uid === b.uid
  return a.kind === b.kind && a.name === b.name && groupOf(a) === groupOf(b)
}

function groupOf({ apiVersion }: ObjectOwner): string {
  return apiVersion.split('/')[0] ?? ''
}

/** The objects of a cluster, with the packages and revisions that own them and the packages that would bring them. */
export type ClusterInput = Pick<CrossplaneState, 'objects' | 'packages' | 'revisions' | 'known' | 'semantics'>

/**
 * Returns the owner of each object and the objects of each package. Objects in the folder of a package's metadata are contents of that
 * package, not objects of the cluster.
 */
export function readOwnership({ objects, packages, revisions, known, semantics }: ClusterInput): Ownership {
  const beside = new Set(known.all.flatMap((each) => each.contents().flatMap(({ written }) => written ?? [])))
  const inCluster = objects.filter((object) => !beside.has(object))
  const named = groupBy(inCluster, contentName)
  const byPackage = groupBy(revisions, ({ packageKey }) => packageKey)
  const claims = packages.flatMap((each) => {
    const claimant = keyOfPackage(each)
    const own = byPackage.get(claimant) ?? []
    const names = namesBrought(scalarText(each.field.value), known)
    return names.map((object) => ({ object, claimant, controls: controls(object, named.get(object) ?? [], own) }))
  })
  const conflicts = groupBy(resolveClaims(claims).conflicts, ({ loser }) => loser)
  return {
    semantics,
    owned: inCluster.filter((object) => object.toText().includes('ownerReferences')),
    broughtBy: (image) => namesBrought(image, known).flatMap((name) => named.get(name) ?? []),
    conflictsOf: (each) =>
      (conflicts.get(keyOfPackage(each)) ?? []).map(({ winner, objects: lost }) => `${winner} has ${lost.join(', ')} already`),
  }
}

function namesBrought(image: string, known: KnownPackages): readonly string[] {
  return (known.ofImage(parseReference(image))?.contents() ?? []).map(({ object }) => object)
}

/** Returns the objects that a revision has established, as its status records them. */
function establishedBy({ object }: RevisionObject): readonly string[] {
  return itemFields(fieldAt(object, ['status', 'objectRefs'])).map(nameOfBrought)
}

/**
 * Returns the steps of Active revisions that establish objects which the list does not hold: only a Catalog lists them. Their revision
 * records them, so that a later package with one of them is the one that loses.
 *
 * @param unhealthy  the sources of packages that get none of their objects
 */
export function establishSteps(
  reconciled: readonly ReconciledPackage[],
  { known, broughtBy }: Pick<CrossplaneState, 'known' | 'broughtBy'>,
  unhealthy: ReadonlySet<string>,
): readonly ControllerStep[] {
  return reconciled.flatMap((each) => {
    const active = activeAfter(each)
    if (active === undefined || unhealthy.has(each.package.reference.source) || each.package.kind === 'Package') return []
    const there = new Set(broughtBy(active.image).map((object) => contentName(object)))
    const had = new Set(establishedBy(active))
    const names = namesBrought(active.image, known).filter((name) => !there.has(name) && !had.has(name))
    if (names.length === 0) return []
    const refs = [...had, ...names].map((name) => ({ kind: name.split(' ')[0] ?? '', name: name.split(' ')[1] ?? '' }))
    const what = `${formatResourceRef(active.object.ref)} controls ${listNames(listSome(names))}`
    return [setStep(active.object, [{ path: ['status', 'objectRefs'], value: refs }], what, 'the Active revision controls what it brings')]
  })
}

/** Returns true if one of a package's revisions controls the objects of a name, or has established it. */
function controls(name: string, objects: readonly KrmObject[], revisions: readonly RevisionObject[]): boolean {
  const own = new Set(revisions.map(({ revision }) => revision.name))
  return (
    objects.some((object) => ownersOf(object).some((owner) => owner.controller && own.has(owner.name))) ||
    revisions.some((revision) => revision.revision.state === 'Active' && establishedBy(revision).includes(name))
  )
}
