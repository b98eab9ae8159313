import { realpathSync } from 'node:fs'
import { join, posix } from 'node:path'
import { attempt } from '../attempt.ts'
import { errorCode } from '../error-code.ts'
import { type BrokenLink, diskTree, type FileTree, type TreeEntry, UnreadableError } from '../folder/file-tree.ts'
import { OutsideError, placeInside } from '../folder/inside-folder.ts'
import type { Steps } from '../progress.ts'
import { KPTFILE } from '../resource-list/package-of.ts'
import { FunctionError, hasErrors, type Result, type Severity } from '../result.ts'
import type { RuleId } from '../rules/rule-id.ts'
import { type CheckoutGap, CheckoutGaps } from './checkout-gaps.ts'
import { gapFindings } from './gap-findings.ts'
import { checkoutAround } from './git-cache.ts'
import { replacedObjects } from './replaced-folder.ts'
import { runGit } from './run-git.ts'

/** A folder on disk without the symbolic links that lead out of it, and the findings about links and folders that were listed so far. */
export interface TreeInside {
  readonly tree: FileTree
  readonly links: readonly Result[]
}

/**
 * Returns the folder of a package as a tree. What a link to a file outside of the package leads to is no part of the package (docs/kpt.md).
 *
 * @param name  returns the name of a file in findings
 */
export function packageTreeInside(dir: string, name: (path: string) => string): TreeInside {
  return treeInside(dir, { bounds: dir, what: 'the package', name, broken: 'leave-out' })
}

/**
 * Returns the folder of a fleet as a tree. Links within the checkout that the folder is in are followed; a link out of the checkout may
 * be an attempt to see a file of the machine that reads the fleet. A link that leads nowhere and a folder that must not be read are
 * findings: an object of the fleet may be missing. So is a file that git tracks and that a sparse checkout leaves out.
 *
 * @param name       returns the name of a file in findings
 * @param isSkipped  returns true for a package, by the text of its Kptfile, of which files may be missing in the checkout
 */
export function fleetTreeInside(dir: string, name: (path: string) => string, isSkipped: SkipTest = () => false): TreeInside {
  const checkout = checkoutAround(realpathSync(dir))
  return treeInside(dir, {
    bounds: checkout ?? dir,
    what: checkout === undefined ? 'the folder' : 'the git repository',
    name,
    broken: 'keep',
    isSkipped,
    ...(checkout !== undefined && { before: replacedObjects(realpathSync(dir), checkout) }),
  })
}

/** Returns true for a package of which files may be missing, by the text of its Kptfile. */
type SkipTest = (kptfile: string) => boolean

interface Bounds {
  /** The folder that a link must not lead out of. */
  readonly bounds: string
  /** The name of that folder in warnings. */
  readonly what: string
  readonly name: (path: string) => string
  /** `keep` for findings about links that lead nowhere, and about folders that must not be read. */
  readonly broken: 'keep' | 'leave-out'
  readonly isSkipped?: SkipTest
  /** Returns a path below a link at which an object was before the link was there. */
  readonly before?: (link: string) => string | undefined
}

function treeInside(dir: string, bounds: Bounds): TreeInside {
  const folder = new BoundedFolder(dir, bounds)
  return {
    tree: { list: (path) => folder.list(path), read: (path) => folder.read(path) },
    get links() {
      return folder.findings()
    },
  }
}

/** A folder on disk that is read within bounds. Notes what is not read. */
class BoundedFolder {
  readonly #root: string
  readonly #bounds: Bounds
  readonly #tree: FileTree
  readonly #listed = new Map<string, readonly TreeEntry[]>()
  readonly #brokenLinks = new Map<string, BrokenLink>()
  readonly #found = new Map<string, Result>()
  readonly #outside: BrokenLink
  #hasEmptyFolder = false
  #gaps: readonly Result[] | undefined

  constructor(dir: string, bounds: Bounds) {
    this.#root = realpathSync(dir)
    this.#bounds = bounds
    this.#tree = diskTree(this.#root, bounds.broken, bounds)
    this.#outside = { severity: 'warning', reason: `the symbolic link leads out of ${bounds.what}`, rule: 'link-outside' }
  }

  list(folder: string): readonly TreeEntry[] {
    const entries =
      this.#listed.get(folder) ?? this.#entriesOf(folder).flatMap((entry) => this.#within(entry, posix.join(folder, entry.name)))
    this.#listed.set(folder, entries)
    this.#hasEmptyFolder ||= entries.length === 0
    for (const entry of entries) if (entry.broken !== undefined) this.#brokenLinks.set(posix.join(folder, entry.name), entry.broken)
    return entries
  }

  read(path: string): Uint8Array {
    const link = this.#brokenLinks.get(path)
    if (link !== undefined)
      throw new UnreadableError(
        `${link.reason}; remove ${link.reason.includes('link') ? 'the link' : 'it'}, or name it in .krmignore`,
        link,
      )
    try {
      return this.#tree.read(path)
    } catch (error) {
      const fault = this.#keeps ? permissionFault(error) : undefined
      throw fault === undefined
        ? error
        : new UnreadableError(`${fault}; make the file readable, or name it in .krmignore`, { severity: 'error' })
    }
  }

  /** Returns the findings about what was listed, and about files that the checkout leaves out. */
  findings(): readonly Result[] {
    this.#gaps ??= this.#keeps ? this.#gapsIn() : []
    return [...this.#found.values(), ...this.#gaps]
  }

  get #keeps(): boolean {
    return this.#bounds.broken === 'keep'
  }

  #entriesOf(folder: string): readonly TreeEntry[] {
    try {
      return this.#tree.list(folder)
    } catch (error) {
      const fault = this.#keeps && folder !== '' ? permissionFault(error) : undefined
      if (fault === undefined) throw error
      this.#note(folder, 'error', 'unreadable-file', `cannot be read: ${fault}; make the folder readable, or name it in .krmignore`)
      return []
    }
  }

  /** Returns the entry of a folder; one that says why for a link that leads out of the bounds, or none where such links are left out. */
  #within(entry: TreeEntry, path: string): readonly TreeEntry[] {
    if (entry.isLink !== true || entry.broken !== undefined || this.#isInside(path)) return [entry]
    if (this.#keeps) return [{ ...entry, broken: this.#outside }]
    this.#note(path, 'warning', 'link-outside', `is not read: ${this.#outside.reason}`)
    return []
  }

  #isInside(path: string): boolean {
    return (attempt(() => placeInside(realpathSync(this.#bounds.bounds), join(this.#root, path)), OutsideError) ?? '') !== ''
  }

  #note(path: string, severity: Severity, rule: RuleId, message: string): void {
    this.#found.set(path, { severity, message, file: { path: this.#bounds.name(path), index: 0 }, tags: { rule } })
  }

  #gapsIn(): readonly Result[] {
    const { name, isSkipped = () => false } = this.#bounds
    const gaps = new CheckoutGaps().below(this.#root, this.#hasEmptyFolder)
    const tree: FileTree = { list: (folder) => this.list(folder), read: (path) => this.read(path) }
    const kptfileAt = (folder: string, gap: CheckoutGap | undefined) =>
      gap === undefined ? this.read(posix.join(folder, KPTFILE)) : runGit({ dir: this.#root }, ['cat-file', 'blob', gap.id])
    return gapFindings(tree, gaps, { name, isSkipped: (folder, gap) => isSkipped(new TextDecoder().decode(kptfileAt(folder, gap))) })
  }
}

/**
 * Returns what `read` returns, with the findings about links, folders and missing files that it met; also among those that it throws.
 *
 * @param isSpared  returns true for an error that is among the results and not thrown
 * @throws FunctionError  as `read`, and with each error about a link, folder or missing file
 */
export function* withLinks<Read extends { readonly results: readonly Result[] }>(
  inside: TreeInside,
  read: () => Steps<Read>,
  isSpared?: (fault: Result) => boolean,
): Steps<Read> {
  try {
    return addLinks(yield* read(), inside, isSpared)
  } catch (error) {
    throw withLinksOf(inside, error)
  }
}

function addLinks<Read extends { readonly results: readonly Result[] }>(
  read: Read,
  { links }: TreeInside,
  isSpared: (fault: Result) => boolean = () => false,
): Read {
  const results = [...read.results, ...links]
  if (hasErrors(links.filter((link) => !isSpared(link)))) throw new FunctionError(results)
  return { ...read, results }
}

/** Returns an error with the findings about links beside its own; any other error as it is. */
function withLinksOf({ links }: TreeInside, error: unknown): unknown {
  if (!(error instanceof FunctionError)) return error
  return new FunctionError([...error.results, ...links.filter((link) => !error.results.includes(link))])
}

/** Returns the text of the operating system for an error of permissions; undefined for any other error. */
function permissionFault(error: unknown): string | undefined {
  const code = errorCode(error)
  if (code === 'EACCES') return 'permission denied'
  return code === 'EPERM' ? 'operation not permitted' : undefined
}
