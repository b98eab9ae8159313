import type { Version } from '../versions/version.ts'
import type { Install, KnownVersion, PackageTarget, Requirement } from './universe.ts'

/** The package targets of a universe, one for each key, with their installs. */
export interface TargetTable {
  target(identity: TargetIdentity): PackageTarget
  /** Adds an install to its target. */
  install(install: Install): Install
  readonly installs: readonly Install[]
  owns(target: PackageTarget): boolean
}

/** The identity of a package target, and the functions that read the target's versions and requirements. */
export interface TargetIdentity {
  readonly key: string
  readonly id: string
  readonly name: string
  readonly scope?: string
  /** Returns the known versions, highest first. Called once, when the versions are first needed. */
  readonly versions: () => readonly Version[]
  /** Returns the requirements of a version, by its text, or of a digest; undefined if unknown. Called when they are first needed. */
  readonly requirements: (text: string) => readonly Requirement[] | undefined
}

export function targetTable(): TargetTable {
  const targets = new Map<string, LazyTarget>()
  const installs: Install[] = []
  return {
    installs,
    owns: (target) => targets.get(target.key) === target,
    target: (identity) => {
      const target = targets.get(identity.key) ?? new LazyTarget(identity)
      targets.set(identity.key, target)
      return target
    },
    install: (install) => {
      targets.get(install.target.key)?.installs.push(install)
      installs.push(install)
      return install
    },
  }
}

// Most packages of a large catalog are never in conflict, so their versions are never parsed.
class LazyTarget implements PackageTarget {
  readonly key: string
  readonly id: string
  readonly name: string
  readonly scope: string | undefined
  readonly installs: Install[] = []
  readonly #identity: TargetIdentity
  #versions: readonly Version[] | undefined
  #known: readonly KnownVersion[] | undefined

  constructor(identity: TargetIdentity) {
    this.key = identity.key
    this.id = identity.id
    this.name = identity.name
    this.scope = identity.scope
    this.#identity = identity
  }

  get versions(): readonly Version[] {
    this.#versions ??= this.#identity.versions()
    return this.#versions
  }

  get known(): readonly KnownVersion[] {
    this.#known ??= this.versions.map((version) => new LazyVersion(version, this.#identity))
    return this.#known
  }

  requirementsAt(digest: string): readonly Requirement[] | undefined {
    return this.#identity.requirements(digest)
  }
}

class LazyVersion implements KnownVersion {
  readonly version: Version
  readonly #identity: TargetIdentity
  #requirements: { readonly read: readonly Requirement[] | undefined } | undefined

  constructor(version: Version, identity: TargetIdentity) {
    this.version = version
    this.#identity = identity
  }

  get requirements(): readonly Requirement[] | undefined {
    this.#requirements ??= { read: this.#identity.requirements(this.version.text) }
    return this.#requirements.read
  }
}
