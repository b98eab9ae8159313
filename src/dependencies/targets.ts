import type { Version } from '../versions/version.ts'
import type { Install, Target } from './universe.ts'

/** Makes the Targets of a universe, one for each key, and puts the installs on them. */
export interface TargetTable {
  /** The target of a key; `known` is asked once, when the versions are first needed. */
  target(key: string, id: string, known: () => readonly Version[]): Target
  /** Adds an install to its target. */
  install(install: Install): Install
  readonly installs: readonly Install[]
}

export function targetTable(): TargetTable {
  const targets = new Map<string, Target>()
  const byTarget = new Map<Target, Install[]>()
  const installs: Install[] = []
  return {
    installs,
    target: (key, id, known) => {
      const there = targets.get(key)
      if (there !== undefined) return there
      const own: Install[] = []
      const made = new LazyTarget(key, id, known, own)
      targets.set(key, made)
      byTarget.set(made, own)
      return made
    },
    install: (install) => {
      byTarget.get(install.target)?.push(install)
      installs.push(install)
      return install
    },
  }
}

// Most packages of a large catalog are never in violation: their versions are not even parsed.
class LazyTarget implements Target {
  readonly key: string
  readonly id: string
  readonly installs: readonly Install[]
  readonly #read: () => readonly Version[]
  #known: readonly Version[] | undefined

  constructor(key: string, id: string, read: () => readonly Version[], installs: readonly Install[]) {
    this.key = key
    this.id = id
    this.#read = read
    this.installs = installs
  }

  get known(): readonly Version[] {
    this.#known ??= this.#read()
    return this.#known
  }
}
