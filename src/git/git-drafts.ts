import { createHash } from 'node:crypto'
import { compareText } from '../field-path.ts'
import { GitError, type GitRepository, runGit } from './run-git.ts'

/** A file that a commit changes, by its path from the top of the repository. Without content the file is removed. */
export interface TreeChange {
  readonly path: string
  readonly content?: {
    readonly mode: string
    readonly id: string
    /** The bytes; unset for a content that the repository has already. */
    readonly bytes?: Uint8Array
  }
}

/** A branch with one commit on top of `head`. */
export interface Draft {
  readonly branch: string
  readonly message: string
  readonly changes: readonly TreeChange[]
}

/** A local branch. */
interface GitBranch {
  readonly commit: string
  /** True for a name of another ref: a commit would move that ref. */
  readonly isSymbolic: boolean
  /** The folder in which the branch is checked out; '' for none. */
  readonly worktree: string
}

/** A branch that must not be written, and the reason. */
export interface RefusedBranch {
  readonly branch: string
  readonly reason: string
}

/** The branches to write, each with the commit that it has now; '' for a new branch. */
export interface CheckedDrafts {
  readonly wanted: readonly { readonly draft: Draft; readonly before: string }[]
  readonly unchanged: readonly Draft[]
  readonly refused: readonly RefusedBranch[]
}

/**
 * Compares drafts with the branches of a repository. A branch may be written again while its one commit is a draft as it was written, or
 * is part of `head`. A branch with the same changes on the same commit is unchanged.
 *
 * @throws GitError
 */
export function checkDrafts(repository: GitRepository, head: string, drafts: readonly Draft[]): CheckedDrafts {
  const branches = listBranches(repository)
  const checked = drafts.map((draft) => ({ draft, ...checkDraft(draft, branches.get(draft.branch), { repository, head }) }))
  return {
    wanted: checked.flatMap(({ draft, before }) => (before === undefined ? [] : [{ draft, before }])),
    unchanged: checked.flatMap(({ draft, before, reason }) => (before === undefined && reason === undefined ? [draft] : [])),
    refused: checked.flatMap(({ draft: { branch }, reason }) => (reason === undefined ? [] : [{ branch, reason }])),
  }
}

/** Returns the commit that a branch to write has now, or the reason to refuse the branch; neither for a branch that is as the draft. */
function checkDraft(
  { branch, changes }: Draft,
  present: GitBranch | undefined,
  { repository, head }: { readonly repository: GitRepository; readonly head: string },
): { readonly before?: string; readonly reason?: string } {
  if (!isBranchName(repository, branch)) return { reason: 'git allows no branch of this name' }
  if (present === undefined) return { before: '' }
  const { commit, isSymbolic, worktree } = present
  if (isSymbolic) return { reason: 'the name stands for another branch' }
  if (worktree !== '') return { reason: `the branch is checked out in '${worktree}'` }
  const written = readDraft(repository, commit)
  if (written === undefined && !isPartOf(repository, commit, head))
    return { reason: 'the branch has commits of people; merge or delete the branch first' }
  return written?.parent === head && textOf(written.changes) === textOf(changes) ? {} : { before: commit }
}

/**
 * Writes a commit for each draft and lets its branch point to the commit: all branches, or none when one of them changed since the check.
 * The working tree, the index and every other ref stay as they are.
 *
 * @throws GitError
 */
export function writeDrafts(repository: GitRepository, head: string, wanted: CheckedDrafts['wanted']): void {
  if (wanted.length === 0) return
  const who = identity(repository)
  const commands = wanted.flatMap(({ draft }, at) => importCommands(draft, { head, who, mark: at + 1 }))
  const printed = runGit(repository, ['fast-import', '--quiet', '--done', '--date-format=now'], {
    input: Buffer.concat([...commands, Buffer.from('done\n')]),
  })
  const commits = printed.toString('utf8').trim().split('\n')
  if (commits.length !== wanted.length) throw new GitError(`git fast-import: ${commits.length} answers for ${wanted.length} commits`)
  const absent = '0'.repeat(head.length)
  const updates = wanted.map(({ draft, before }, at) => `update refs/heads/${draft.branch} ${commits[at] ?? ''} ${before || absent}\n`)
  runGit(repository, ['update-ref', '--no-deref', '--create-reflog', '-m', 'krm-variants render --branch', '--stdin'], {
    input: ['start\n', ...updates, 'prepare\n', 'commit\n'].join(''),
  })
}

function listBranches(repository: GitRepository): ReadonlyMap<string, GitBranch> {
  const format = '%(refname:lstrip=2)%00%(objectname)%00%(symref)%00%(worktreepath)'
  const lines = runGit(repository, ['for-each-ref', `--format=${format}`, 'refs/heads'])
    .toString('utf8')
    .split('\n')
  return new Map(
    lines.flatMap((line) => {
      const [name = '', commit = '', symref = '', worktree = ''] = line.split('\0')
      return name === '' ? [] : [[name, { commit, isSymbolic: symref !== '', worktree }] as const]
    }),
  )
}

function isBranchName(repository: GitRepository, name: string): boolean {
  if (name.startsWith('-') || name === 'HEAD') return false
  return succeeds(() => runGit(repository, ['check-ref-format', `refs/heads/${name}`]))
}

function isPartOf(repository: GitRepository, commit: string, head: string): boolean {
  return (
    runGit(repository, ['rev-list', '--count', '--end-of-options', `${head}..${commit}`])
      .toString('utf8')
      .trim() === '0'
  )
}

function succeeds(act: () => unknown): boolean {
  try {
    act()
    return true
  } catch (error) {
    if (error instanceof GitError) return false
    throw error
  }
}

const TRAILER = 'Krm-Variants-Draft: '

/** Returns the commit of a draft as it was written; undefined for any other commit: its files, message or parent are of people. */
function readDraft(repository: GitRepository, commit: string): { readonly parent: string; readonly changes: Draft['changes'] } | undefined {
  const text = runGit(repository, ['cat-file', 'commit', commit]).toString('utf8')
  const end = text.indexOf('\n\n')
  const parents = [...text.slice(0, end).matchAll(/^parent (.*)$/gm)].map(([, id = '']) => id)
  const [parent] = parents
  const message = text.slice(end + 2)
  const at = message.lastIndexOf(TRAILER)
  if (parent === undefined || parents.length > 1 || at === -1) return undefined
  const changes = changesBetween(repository, parent, commit)
  const isAsWritten = message === withTrailer({ message: message.slice(0, at), changes }, parent)
  return isAsWritten ? { parent, changes } : undefined
}

/** Returns the message of a draft with a digest of the whole commit: any change of the commit by people makes the digest another. */
function withTrailer({ message, changes }: Omit<Draft, 'branch'>, parent: string): string {
  const own = message.trimEnd()
  const digest = createHash('sha256')
    .update(JSON.stringify([parent, textOf(changes), own]))
    .digest('hex')
  return `${own}\n\n${TRAILER}${digest}\n`
}

function textOf(changes: readonly TreeChange[]): string {
  const lines = changes.map(({ path, content }) => [path, content?.mode ?? '', content?.id ?? ''])
  return JSON.stringify(lines.sort(([a = ''], [b = '']) => compareText(a, b)))
}

function changesBetween(repository: GitRepository, parent: string, commit: string): readonly TreeChange[] {
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-abbrev', '--no-renames', '--no-ext-diff', '--no-textconv']
  const fields = runGit(repository, [...args, parent, commit])
    .toString('utf8')
    .split('\0')
  // Two fields for each file, and an empty one behind the last NUL.
  return Array.from({ length: Math.floor(fields.length / 2) }, (_, i) => {
    const [, mode = '', , id = '', status] = (fields[2 * i] ?? '').split(' ')
    const path = fields[2 * i + 1] ?? ''
    return status === 'D' ? { path } : { path, content: { mode, id } }
  })
}

/** The author of drafts where git has no name and address of the user. */
const NOBODY = { name: 'krm-variants', email: 'krm-variants@localhost' }

function identity(repository: GitRepository): string {
  const setting = (key: 'name' | 'email'): string => {
    let value = ''
    succeeds(() => {
      value = runGit(repository, ['config', '--get', `user.${key}`])
        .toString('utf8')
        .replace(/[<>\n\0]/g, '')
        .trim()
    })
    return value
  }
  const [name, email] = [setting('name'), setting('email')]
  return name === '' || email === '' ? `${NOBODY.name} <${NOBODY.email}>` : `${name} <${email}>`
}

interface ImportContext {
  readonly head: string
  readonly who: string
  readonly mark: number
}

/** Returns the commands of git fast-import that write the commit of a draft and print its id. The ref of the commit is gone at the end. */
function importCommands({ message, changes }: Draft, { head, who, mark }: ImportContext): readonly Buffer[] {
  const ref = `refs/krm-variants/draft-${mark}`
  const text = Buffer.from(withTrailer({ message, changes }, head))
  const begin = `commit ${ref}\nmark :${mark}\ncommitter ${who} now\ndata ${text.length}\n`
  const files = changes.flatMap(({ path, content }) => {
    if (content === undefined) return [Buffer.from(`D ${quoted(path)}\n`)]
    const { mode, id, bytes } = content
    if (bytes === undefined) return [Buffer.from(`M ${mode} ${id} ${quoted(path)}\n`)]
    return [Buffer.from(`M ${mode} inline ${quoted(path)}\ndata ${bytes.length}\n`), Buffer.from(bytes), Buffer.from('\n')]
  })
  const end = `\nget-mark :${mark}\nreset ${ref}\nfrom ${'0'.repeat(head.length)}\n\n`
  return [Buffer.from(begin), text, Buffer.from(`\nfrom ${head}\n`), ...files, Buffer.from(end)]
}

function quoted(path: string): string {
  return `"${path.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`
}
