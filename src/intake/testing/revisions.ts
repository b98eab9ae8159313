import type { Texts } from '../../../testdata/package-of-texts.ts'
import { fileInMemory, type WholeFolder } from '../../folder/whole-folder.ts'
import type { ImportOrigin } from '../next-revision.ts'

/** The origin of a package that a vendor's manifest makes. */
export const ORIGIN: ImportOrigin = { source: 'manifest', name: 'release.yaml', sha256: 'x', command: 'import release.yaml' }

/** Returns the files of a package as a disk has them. */
export const filesOnDisk = (texts: Texts): WholeFolder['files'] =>
  new Map(Object.entries(texts).map(([path, text]) => [path, fileInMemory(Buffer.from(text), 0o644)]))
