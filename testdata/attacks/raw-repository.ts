import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'

/** An entry of a raw tree. The name may be anything but NUL: no command of git would write most of what is in these attacks. */
export interface RawEntry {
  readonly mode: string
  readonly name: string | Buffer
  readonly id: string
}

/** The modes of git. */
export const MODES = { file: '100644', executable: '100755', link: '120000', folder: '40000', submodule: '160000' } as const

const PERSON = ['-c', 'user.name=a', '-c', 'user.email=a@example.com']

/** A repository whose trees are written byte by byte, as a prepared repository has them. */
export class RawRepository {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
    mkdirSync(folder, { recursive: true })
    this.git(['init', '--quiet', '--initial-branch=main'])
  }

  git(args: readonly string[], input: string | Buffer = ''): string {
    return execFileSync('git', ['-C', this.#folder, ...PERSON, ...args], { input, encoding: 'utf8' }).trim()
  }

  blob(text: string): string {
    return this.git(['hash-object', '-w', '--stdin'], text)
  }

  file(name: string | Buffer, text = 'hostile\n', mode: string = MODES.file): RawEntry {
    return { mode, name, id: this.blob(text) }
  }

  folder(name: string | Buffer, entries: readonly RawEntry[]): RawEntry {
    return { mode: MODES.folder, name, id: this.tree(entries) }
  }

  /** Writes a tree in the order of the entries, and returns its id. */
  tree(entries: readonly RawEntry[]): string {
    const records = entries.map(({ mode, name, id }) =>
      Buffer.concat([Buffer.from(`${mode} `), Buffer.from(name), Buffer.of(0), Buffer.from(id, 'hex')]),
    )
    return this.git(['hash-object', '-t', 'tree', '-w', '--literally', '--stdin'], Buffer.concat(records))
  }

  /** Commits entries as the top of the repository under a tag. */
  release(tag: string, entries: readonly RawEntry[]): void {
    this.git(['tag', tag, this.git(['commit-tree', this.tree(entries), '-m', tag])])
  }
}

/** The id of an object that no repository has. */
export const MISSING = '0123456789abcdef0123456789abcdef01234567'
