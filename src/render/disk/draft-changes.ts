import { diskFolder } from '../../folder/whole-folder.ts'
import { GIT_MODES, type GitFile } from '../../git/git.ts'
import type { TreeChange } from '../../git/git-drafts.ts'
import { gitIdOf } from '../../git/git-snapshot.ts'
import { removeOwnerAnnotation } from '../../lifecycle/owner-annotation.ts'
import type { LeftoverStep } from '../../lifecycle/package-steps.ts'
import { joinPath, KPTFILE } from '../../resource-list/package-of.ts'
import type { RenderedStep } from '../made-packages.ts'

/** The folder of the packages in its repository, at a commit. */
export interface CommittedFolder {
  /** The folder on disk. */
  readonly disk: string
  /** The path of the folder from the top of the repository; '' for the top. */
  readonly prefix: string
  readonly commit: string
  /** The files of the commit, by their paths below the folder. */
  readonly files: ReadonlyMap<string, Pick<GitFile, 'mode' | 'id'>>
}

/** The changes of one package as a commit would have them. */
export interface PackageDraft {
  readonly changes: readonly TreeChange[]
  /** The files of the package that are not as they are committed. */
  readonly uncommitted: readonly UncommittedFile[]
}

/** A file by its path below the folder. It has the id of the commit if its content alone is another: git may have converted it. */
export interface UncommittedFile {
  readonly path: string
  readonly id?: string
}

/** The folder of a rendered package, and its files as they will be. */
interface DraftedStep extends Pick<RenderedStep, 'changes' | 'bytesOf' | 'modeOf'> {
  readonly step: Pick<RenderedStep['step'], 'folder' | 'movedFrom'>
}

/** Returns the changes of the package of a variant. */
export function draftOfStep({ step, changes, bytesOf, modeOf }: DraftedStep, committed: CommittedFolder): PackageDraft {
  const { folder, movedFrom } = step
  const moved = movedFrom === undefined ? [] : filesBelow(movedFrom, committed)
  const files = new Map<string, TreeChange>()
  for (const [path, content] of moved) {
    const to = `${folder}/${path.slice((movedFrom ?? '').length + 1)}`
    files.set(path, { path: joinPath(committed.prefix, path) })
    files.set(to, { path: joinPath(committed.prefix, to), content })
  }
  for (const { path, op } of changes) {
    const own = `${folder}/${path}`
    const place = joinPath(committed.prefix, own)
    if (op === 'delete') files.set(own, { path: place })
    else files.set(own, { path: place, content: contentOf(bytesOf(path), modeOf(path), committed) })
  }
  const folders = movedFrom === undefined ? [folder] : [movedFrom, folder]
  return {
    changes: [...files].flatMap(([own, change]) => (isAsCommitted(change, committed.files.get(own)) ? [] : [change])),
    uncommitted: folders.flatMap((each) => uncommittedIn(each, committed)),
  }
}

/** Returns the changes of a package whose variant is gone: all its files are removed, or its Kptfile names no owner any more. */
export function draftOfLeftover({ op, place }: LeftoverStep, committed: CommittedFolder): PackageDraft {
  const uncommitted = uncommittedIn(place.folder, committed)
  if (op === 'remove')
    return { changes: filesBelow(place.folder, committed).map(([path]) => ({ path: joinPath(committed.prefix, path) })), uncommitted }
  const kptfile = place.kptfile()
  if (kptfile === undefined) return { changes: [], uncommitted }
  removeOwnerAnnotation(kptfile)
  const path = `${place.folder}/${KPTFILE}`
  const mode = committed.files.get(path)?.mode === GIT_MODES.executable ? 0o755 : 0o644
  return {
    changes: [{ path: joinPath(committed.prefix, path), content: contentOf(Buffer.from(kptfile.toText()), mode, committed) }],
    uncommitted,
  }
}

function filesBelow(folder: string, { files }: CommittedFolder): readonly (readonly [string, Pick<GitFile, 'mode' | 'id'>])[] {
  return [...files].filter(([path]) => path.startsWith(`${folder}/`))
}

function contentOf(bytes: Uint8Array, mode: number, { commit }: CommittedFolder): NonNullable<TreeChange['content']> {
  return { mode: gitMode(mode), id: gitIdOf(bytes, commit), bytes }
}

function gitMode(mode: number): string {
  return (mode & ANY_EXECUTE) === 0 ? GIT_MODES.regular : GIT_MODES.executable
}

const ANY_EXECUTE = 0o111

function isAsCommitted({ content }: TreeChange, committed: Pick<GitFile, 'mode' | 'id'> | undefined): boolean {
  return content?.id === committed?.id && content?.mode === committed?.mode
}

/** Returns the files of a package that the folder on disk does not have as the commit has them. Symbolic links are left out. */
function uncommittedIn(folder: string, { disk, commit, files }: CommittedFolder): readonly UncommittedFile[] {
  const present = diskFolder(`${disk}/${folder}`).files
  const wanted = new Map(
    [...files].flatMap(([path, file]) =>
      path.startsWith(`${folder}/`) && file.mode !== GIT_MODES.link ? [[path.slice(folder.length + 1), file]] : [],
    ),
  )
  return [...new Set([...present.keys(), ...wanted.keys()])].flatMap((name): UncommittedFile[] => {
    const path = `${folder}/${name}`
    const [file, known] = [present.get(name), wanted.get(name)]
    if (file === undefined || known === undefined || gitMode(file.mode) !== known.mode) return [{ path }]
    return gitIdOf(file.read(), commit) === known.id ? [] : [{ path, id: known.id }]
  })
}
