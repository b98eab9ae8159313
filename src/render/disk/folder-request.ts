import { below, type NamedFolder } from '../../folder/named-folder.ts'
import { readWholePackage } from '../../folder/read-whole-package.ts'
import { diskFolder, type WholeFolder } from '../../folder/whole-folder.ts'
import { gitTreeFolder } from '../../git/git.ts'
import type { Result } from '../../result.ts'
import type { DownstreamFolders } from '../../upstream/chain.ts'
import type { WholeContent } from '../edits/discards.ts'
import type { RenderedStep } from '../made-packages.ts'
import { MadePackages } from '../made-packages.ts'
import type { FleetToRender, RenderPlan } from '../plan-render.ts'
import type { Fate } from '../render-summary.ts'
import type { DiskPlaces } from './disk-places.ts'
import type { RenderRecord } from './last-render.ts'
import type { PackageSearch } from './packages-elsewhere.ts'
import type { FolderRenderContext } from './render-step.ts'

/** A fleet whose packages are below a folder on disk. */
export interface FolderRequest extends Omit<FleetToRender, 'places'> {
  /** The folder of the fleet. */
  readonly dir: NamedFolder
  readonly out: NamedFolder
  readonly places: DiskPlaces
  /** For the search of packages that are elsewhere; unset to look for none. */
  readonly search?: PackageSearch
  /** If true, nothing is written. */
  readonly isDryRun: boolean
  /** If true, nothing is written when the functions of one package fail; else the other packages are written. */
  readonly failFast?: boolean
  /** Begins the record of how this run leaves the packages, which knows how the last run left them; without it, every package is opened. */
  readonly begin?: (plan: RenderPlan) => RenderRecord
  /** Called with each package that is opened. */
  readonly look?: (rendered: RenderedStep, fate: Fate) => void
  /**
   * Called with the findings of the run before the first file is written: the next run of one that is killed while it writes finds nothing
   * any more of what was replaced.
   */
  readonly beforeWrite?: (results: readonly Result[]) => void
}

/** Returns what the packages of a run are rendered with. */
export function folderContextOf(plan: RenderPlan, out: NamedFolder): FolderRenderContext {
  const folderNow = (folder: string): WholeFolder => diskFolder(below(out, folder).disk)
  return {
    plan,
    made: new MadePackages(plan, folderNow),
    placeOf: (folder) => below(out, folder),
    folderOf: folderNow,
  }
}

/** Returns the packages below a folder as they are, and as git has them. */
export function downstreamFolders(out: NamedFolder): DownstreamFolders {
  return {
    folder: (folder) => diskFolder(below(out, folder).disk),
    tree: (folder, id) => gitTreeFolder(below(out, folder).disk, id),
    shown: (folder) => below(out, folder).shown,
  }
}

/** Returns all content of a package on disk, read like an upstream package. */
export function readContent({ disk, shown }: NamedFolder, { options }: Pick<FolderRequest, 'options'>): WholeContent {
  const folder = diskFolder(disk)
  const { contents, layouts } = readWholePackage(folder, { krmignore: options.clone === 'kpt', place: shown })
  return { files: contents, layouts, others: [...folder.links, ...folder.gitFolders], read: (path) => folder.files.get(path)?.read() }
}
