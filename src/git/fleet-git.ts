import { remember } from '../remember.ts'
import { nameByGit } from './fleet-identity.ts'
import { type FoundKptfile, trackedKptfiles } from './tracked-kptfiles.ts'

/** Asks git about the folder of a fleet: each question once, whichever parts of a command ask it. */
export class FleetGit {
  readonly #dir: () => string
  #name: { readonly value: string | undefined } | undefined
  readonly #kptfiles = new Map<string, readonly FoundKptfile[]>()

  /** @param dir  returns the folder of the fleet on disk, when git is asked: a list on stdin has none */
  constructor(dir: () => string) {
    this.#dir = dir
  }

  /** Returns the name that git gives the folder; undefined as for `nameByGit`. @throws GitError */
  readonly name = (): string | undefined => {
    this.#name ??= { value: nameByGit(this.#dir()) }
    return this.#name.value
  }

  /** Returns the Kptfiles that git tracks in the repositories around the fleet and around the folder of its packages. */
  kptfiles(out: string): readonly FoundKptfile[] {
    return remember(this.#kptfiles, out, () => trackedKptfiles([this.#dir(), out]))
  }
}
