import type { OwnerReference } from '../reading/owner-references.ts'

/** A revision or package that may own objects. */
export type ObjectOwner = Omit<OwnerReference, 'controller'>

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
  if (control && holder !== undefined) return { error: `${object} is already controlled by ${describeOwner(holder)}` }
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

/** `ProviderRevision helm-1 (UID u1)` */
function describeOwner({ kind, name, uid }: OwnerReference): string {
  return `${kind} ${name}${uid === '' ? '' : ` (UID ${uid})`}`
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
