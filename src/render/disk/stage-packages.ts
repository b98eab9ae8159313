import { type IsAsRead, isFree } from '../../folder/as-read.ts'
import { below, type NamedFolder } from '../../folder/named-folder.ts'
import type { Staging } from '../../folder/staging.ts'
import { DiskFile } from '../../folder/whole-folder.ts'
import { removeOwnerAnnotation } from '../../lifecycle/owner-annotation.ts'
import type { LeftoverStep } from '../../lifecycle/package-steps.ts'
import { KPTFILE } from '../../resource-list/package-of.ts'
import type { RenderedStep } from '../made-packages.ts'
import { repositoryOf } from './disk-places.ts'
import type { FolderRequest } from './folder-request.ts'

/** The folder of a rendered package, and its files as they will be and as they were read. */
interface StagedPackage extends Pick<RenderedStep, 'changes' | 'bytesOf' | 'modeOf' | 'leftovers' | 'isAsRead'> {
  readonly step: Pick<RenderedStep['step'], 'op' | 'folder' | 'movedFrom'>
}

/**
 * Stages the files of a package, the Kptfile last: while the old Kptfile is in place, the next run repeats the update of an interrupted
 * run.
 */
export function stagePackage(rendered: StagedPackage, staging: Staging, out: NamedFolder): void {
  const { step, changes } = rendered
  const files = changes
    .filter(({ op }) => op !== 'delete')
    .map(({ path, op }) => ({ path, op, bytes: rendered.bytesOf(path), mode: rendered.modeOf(path) }))
  if (step.op === 'create') {
    staging.folder(step.folder, files)
    return
  }
  const folder = step.movedFrom ?? step.folder
  const ordered = [...files.filter(({ path }) => path !== KPTFILE), ...files.filter(({ path }) => path === KPTFILE)]
  staging.listed(
    folder,
    rendered.leftovers.filter((path) => !path.includes('/')),
  )
  const within = folder
  for (const { path, op } of changes)
    if (op === 'delete') staging.removeFile(`${folder}/${path}`, { within, isAsRead: rendered.isAsRead(path) })
  for (const { path, op, bytes, mode } of ordered) {
    const isAsRead = op === 'create' ? isFree(below(out, `${folder}/${path}`).disk) : rendered.isAsRead(path)
    staging.file({ path: `${folder}/${path}`, bytes, mode }, { within, isAsRead })
  }
  for (const path of rendered.leftovers) staging.removeLeftover(`${folder}/${path}`, { within })
  if (step.movedFrom !== undefined) staging.moveFolder(step.movedFrom, step.folder)
}

/**
 * Returns the temporary files of interrupted runs in this run's part of the fleet: another run may be rendering another part at the
 * same time.
 */
export function ownLeftovers({ places, selection }: FolderRequest): readonly string[] {
  return places.leftovers.filter((path) => selection?.mayGo('', repositoryOf(path)) !== false)
}

export function stageLeftovers(
  leftovers: readonly LeftoverStep[],
  interrupted: readonly string[],
  { staging, removed, out }: { readonly staging: Staging; readonly removed: ReadonlyMap<string, IsAsRead>; readonly out: NamedFolder },
): void {
  for (const { op, place } of leftovers) {
    if (op === 'remove') staging.removeFolder(place.folder, removed.get(place.folder))
    else orphan(place, staging, out)
  }
  for (const path of interrupted) staging.removeLeftover(path)
}

function orphan({ folder, kptfile }: LeftoverStep['place'], staging: Staging, out: NamedFolder): void {
  const file = new DiskFile(below(out, `${folder}/${KPTFILE}`).disk)
  const { mode } = file
  const object = kptfile()
  if (object === undefined) return
  removeOwnerAnnotation(object)
  const staged = { path: `${folder}/${KPTFILE}`, bytes: Buffer.from(object.toText()), mode }
  staging.file(staged, { within: folder, isAsRead: () => file.isAsRead() })
}
