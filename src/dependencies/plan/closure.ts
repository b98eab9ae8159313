import { leavesOf, type PackageTarget, type Requirement, type ServedKinds, type Universe } from '../universe.ts'

/** The packages that can be required directly or indirectly by any version of any package. */
export interface RequirementClosure {
  /** Every target that is required or installed. */
  readonly targets: ReadonlySet<PackageTarget>
  /** The digests by which targets are required. */
  readonly digests: ReadonlyMap<PackageTarget, ReadonlySet<string>>
  /** Targets that may be installed: at least one requirement on them is not `install: false`. */
  readonly installable: ReadonlySet<PackageTarget>
}

/** Returns the closure of the requirements of all dependents, through every known version. */
export function closureOf(universes: readonly Universe[], kinds: ServedKinds): RequirementClosure {
  const reader = new ClosureReader(kinds)
  for (const { dependents } of universes) {
    for (const { target, requirements } of dependents) {
      if (target !== undefined) reader.reach(target)
      reader.readAll(requirements, target)
    }
  }
  reader.readReached()
  return reader
}

class ClosureReader implements RequirementClosure {
  readonly targets = new Set<PackageTarget>()
  readonly digests = new Map<PackageTarget, Set<string>>()
  readonly installable = new Set<PackageTarget>()
  readonly #kinds: ServedKinds
  readonly #unread: PackageTarget[] = []

  constructor(kinds: ServedKinds) {
    this.#kinds = kinds
  }

  reach(target: PackageTarget): void {
    if (this.targets.has(target)) return
    this.targets.add(target)
    this.#unread.push(target)
  }

  readReached(): void {
    for (let target = this.#unread.pop(); target !== undefined; target = this.#unread.pop()) {
      for (const { requirements } of target.known) if (requirements !== undefined) this.readAll(requirements, target)
      for (const digest of this.digests.get(target) ?? []) this.readAll(target.requirementsAt(digest) ?? [], target)
    }
  }

  readAll(requirements: readonly Requirement[], by: PackageTarget | undefined): void {
    for (const leaf of requirements.flatMap(leavesOf)) {
      if (leaf.type === 'gvk') this.#readKind(leaf, by)
      else if (leaf.type === 'package') this.#readPackage(leaf)
    }
  }

  #readKind({ wanted }: Extract<Requirement, { type: 'gvk' }>, by: PackageTarget | undefined): void {
    if (this.#kinds.servesAnyway(wanted)) return
    for (const target of this.#kinds.targetsOf(wanted, by).keys()) {
      this.installable.add(target)
      this.reach(target)
    }
  }

  #readPackage({ target, digest, validateOnly }: Extract<Requirement, { type: 'package' }>): void {
    if (!validateOnly) this.installable.add(target)
    if (digest !== undefined) this.#addDigest(target, digest)
    this.reach(target)
  }

  // A digest that is found after its target was read is read, too.
  #addDigest(target: PackageTarget, digest: string): void {
    const digests = this.digests.get(target) ?? new Set<string>()
    this.digests.set(target, digests)
    if (digests.has(digest)) return
    digests.add(digest)
    if (this.targets.has(target)) this.#unread.push(target)
  }
}
