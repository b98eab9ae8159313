import type { PackageContent } from '../../merge/package-files.ts'
import { once, remember } from '../../remember.ts'
import { documentSiblings } from '../../resource-list/file-positions.ts'
import type { CloneFlavour } from '../../upstream/repository-options.ts'
import type { SourcePackage } from '../../upstream/source-package.ts'
import { type PreparedClone, prepareClone } from './clone-package.ts'
import { type ClonedFiles, clonedFiles } from './cloned-files.ts'
import { contentToWrite, share } from './rendered-package.ts'

/** The part that all clones of an upstream package share. */
export interface ClonedPackage {
  readonly prepared: PreparedClone
  /** The files of an unedited downstream package. */
  readonly contents: ReadonlyMap<string, PackageContent>
  /** Returns the files as bytes, laid out at the first call. */
  files(): ClonedFiles
}

/** Prepares the clone of each upstream package once, for new packages and for the base of updates. */
export class CloneLibrary {
  readonly #flavour: CloneFlavour
  readonly #clones = new Map<SourcePackage, ClonedPackage>()
  readonly #siblings = documentSiblings()

  constructor(flavour: CloneFlavour) {
    this.#flavour = flavour
  }

  /**
   * Returns the clone of an upstream package.
   *
   * @throws FunctionError  as `prepareClone`
   */
  of(source: SourcePackage): ClonedPackage {
    return remember(this.#clones, source, () => {
      const prepared = prepareClone(source.files, this.#flavour)
      const contents = new Map(Array.from(prepared.files, ([path, content]) => [path, share(contentToWrite(share(content)))]))
      return { prepared, contents, files: once(() => clonedFiles(source, prepared, this.#siblings)) }
    })
  }
}
