import { groupBy } from '../../group-by.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { formatResourceRef } from '../../result.ts'
import { type Finding, listNames } from '../finding.ts'
import type { Lifecycle, LifecycleStep } from '../reading/ecosystem.ts'
import { placeOfField } from '../reading/field.ts'
import { type OwnerReference, ownersOf } from '../reading/owner-references.ts'
import type { CrossplanePackage } from './objects.ts'
import { establish, type ObjectOwner, release, withoutOwner } from './owners.ts'
import { activeAfter, ownerOf, type ReconciledPackage, revisionsAfter } from './revision-objects.ts'

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

/**
 * Returns the steps that change owners after one reconcile of each package. A revision that turned Inactive gives up control, and a deleted
 * revision is removed from the owners. An object without owners is deleted. An Active revision takes control of all its objects or of none
 * (seed 003 rules 18 to 23).
 */
export function ownershipSteps(reconciled: readonly ReconciledPackage[], ownership: Ownership): Omit<Lifecycle, 'packages'> {
  return new OwnerBook(ownership).settle(reconciled)
}

interface Change {
  readonly owners: readonly OwnerReference[]
  readonly what: string
  readonly why: string
}

class OwnerBook {
  readonly #ownership: Ownership
  /** The objects of each owner before the steps. */
  readonly #owned: ReadonlyMap<string, readonly KrmObject[]>
  readonly #owners = new Map<KrmObject, readonly OwnerReference[]>()
  readonly #changes = new Map<KrmObject, Change[]>()
  readonly #findings: Finding<string>[] = []

  constructor(ownership: Ownership) {
    this.#ownership = ownership
    this.#owned = objectsByOwner(ownership.owned)
  }

  settle(reconciled: readonly ReconciledPackage[]): Omit<Lifecycle, 'packages'> {
    for (const each of reconciled) this.#giveUp(each)
    for (const each of reconciled) this.#take(each)
    return { steps: [...this.#changes].map(([object, changes]) => this.#step(object, changes)), findings: this.#findings }
  }

  get #rules() {
    return { uidsMayDiffer: this.#ownership.semantics === 'seed' }
  }

  /** The same list until it changes: who is let go of twice changes nothing. */
  #ownersOf(object: KrmObject): readonly OwnerReference[] {
    const known = this.#owners.get(object) ?? ownersOf(object)
    this.#owners.set(object, known)
    return known
  }

  #note(object: KrmObject, owners: readonly OwnerReference[], what: string, why: string): void {
    if (owners === this.#ownersOf(object)) return
    this.#owners.set(object, owners)
    this.#changes.set(object, [...(this.#changes.get(object) ?? []), { owners, what, why }])
  }

  #giveUp(reconciled: ReconciledPackage): void {
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

  /** Everything or nothing: a revision that does not get one object gets none (seed 003 rule 23; today's dry run of all objects). */
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
    if (errors.length > 0) return void this.#findings.push(conflict(parent, errors))
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

  #step(object: KrmObject, changes: readonly Change[]): LifecycleStep {
    const last = changes.at(-1)
    const owners = last?.owners ?? []
    const name = formatResourceRef(object.ref)
    const what = `${name} ${owners.length === 0 ? 'goes' : listNames(changes.map((each) => each.what))}`
    const why = owners.length === 0 ? 'nobody owns it any more' : listNames([...new Set(changes.map((each) => each.why))])
    if (owners.length === 0) return { what, why, edits: [{ type: 'remove', object }] }
    const value = owners.map(({ controller, ...owner }) => ({ ...owner, ...(controller && { controller, blockOwnerDeletion: true }) }))
    return { what, why, edits: [{ type: 'set', object, fields: [{ path: ['metadata', 'ownerReferences'], value }] }] }
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

function conflict({ object, field, reference }: CrossplanePackage, errors: readonly string[]): Finding<string> {
  return {
    rule: 'revision-unhealthy',
    message: `${formatResourceRef(object.ref)} gets none of its objects: ${listNames(errors)}`,
    place: placeOfField(field),
    tags: { ecosystem: 'crossplane', package: reference.source },
  }
}
