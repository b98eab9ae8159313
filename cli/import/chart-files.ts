import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { quietly } from '../../src/attempt.ts'
import { decodeUtf8 } from '../../src/folder/file-encoding.ts'
import { CHART_FILE } from '../../src/folder/package-folders.ts'
import { onlyDocument } from '../../src/folder/split-documents.ts'
import { gatedDiskFolder } from '../../src/folder/whole-folder.ts'
import { bufferSource } from '../../src/image/image-files.ts'
import { ArchiveError, readTar } from '../../src/image/tar.ts'
import type { ChartFiles } from '../../src/intake/random-values.ts'
import { scalarText } from '../../src/json.ts'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import { shellWord } from '../../src/shell-word.ts'
import type { Host } from '../host.ts'
import { UsageError } from '../usage-error.ts'

/** Returns true for the address of a file elsewhere. */
export function isAddress(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
}

/** Returns the texts of the files of a chart, a folder or an archive. @throws UsageError for what is no chart */
export function chartFiles(chart: string, host: Host): ChartFiles {
  if (isAddress(chart))
    throw new UsageError(
      `\`--helm\` must name a folder or archive, got the address '${chart}': helm pull ${shellWord(chart)} brings it, with --version VERSION`,
    )
  const place = host.locate(chart)
  const found = statSync(place, { throwIfNoEntry: false })
  if (found === undefined)
    throw new UsageError(`\`--helm\` must name the folder or .tgz of a chart, there is no '${chart}'; of a repository, helm pull brings it`)
  if (found.isFile() && basename(place) === CHART_FILE)
    throw new UsageError(`\`--helm\` must name the folder or .tgz of a chart, '${chart}' is a file of one: name its folder`)
  if (!found.isFile() && !found.isDirectory())
    throw new UsageError(`\`--helm\` must name the folder or .tgz of a chart, '${chart}' is a pipe, a socket or a device`)
  if (found.isFile() && found.size > LARGEST_ARCHIVE)
    throw new UsageError(`\`--helm\` must name an archive of at most ${LARGEST_ARCHIVE} bytes, '${chart}' has ${found.size}`)
  const files = found.isDirectory() ? folderTexts(place) : archiveTexts(chart, place)
  if (files.has(CHART_FILE)) return files
  const other = found.isDirectory() && readdirSync(place).includes('Kptfile') ? '; it is a kpt package: --package' : ''
  throw new UsageError(`\`--helm\` must name a chart, '${chart}' has no Chart.yaml${other}`)
}

/** Returns the texts of the files of a folder, also of those in packed subcharts. Files that are no text have none. */
export function folderTexts(place: string): ChartFiles {
  const { files } = gatedDiskFolder(place)
  const room = { left: LARGEST_ARCHIVE }
  return new Map([...files].flatMap(([path, file]) => (file.size > LARGEST ? [[path, '']] : textsOf(path, file.read(), room))))
}

/** The largest file of a chart that is searched: templates are much smaller. */
const LARGEST = 5_000_000
const LARGEST_ARCHIVE = 200_000_000

function archiveTexts(chart: string, place: string): ChartFiles {
  try {
    const room = { left: LARGEST_ARCHIVE }
    return new Map(unpacked(readFileSync(place), room).flatMap(({ path, bytes }) => textsOf(path, bytes, room)))
  } catch (error) {
    const reason = error instanceof ArchiveError ? error.message : 'it is no gzip, or is larger than 200 MB unpacked'
    throw new UsageError(`\`--helm\` must name the folder or .tgz of a chart, '${chart}' cannot be read: ${reason}`)
  }
}

interface ArchiveFile {
  /** Below the folder of the chart. */
  readonly path: string
  readonly bytes: Uint8Array
}

/** The bytes that the archives of a chart may still have together. */
interface Room {
  left: number
}

/** @throws ArchiveError for what is no tar; an error of node:zlib for what is no gzip or is too large */
function unpacked(archive: Uint8Array, room: Room): readonly ArchiveFile[] {
  const bytes = gunzipSync(archive, { maxOutputLength: room.left })
  room.left -= bytes.length
  const files = readTar(bufferSource(bytes)).filter(({ type, size }) => type === 'file' && size <= LARGEST)
  return files.map(({ path, offset, size }) => ({ path: path.slice(path.indexOf('/') + 1), bytes: bytes.subarray(offset, offset + size) }))
}

/** Returns the text of a file; of a packed subchart the texts of its files, by the paths that they would have in a folder. */
function textsOf(path: string, bytes: Uint8Array, room: Room): readonly (readonly [string, string])[] {
  const [, charts, name] = /^((?:.*\/)?charts\/)([^/]+?)(?:-v?\d[^/]*)?\.tgz$/.exec(path) ?? []
  if (charts === undefined) return [[path, decodeUtf8(bytes) ?? '']]
  const files = quietly(() => unpacked(bytes, room)) ?? []
  return files.flatMap((file) => textsOf(`${charts}${name}/${file.path}`, file.bytes, room))
}

/** Returns the name and version of a chart as its Chart.yaml spells them; without a name, that of its folder or archive. */
export function chartMetadata(chart: string, files: ChartFiles): { readonly name: string; readonly version?: string } {
  const { text, line } = onlyDocument(files.get(CHART_FILE) ?? '')
  const about = quietly(() => KrmObject.ofWholeDocument(text, { path: CHART_FILE, index: 0, line }))
  const spelled = (key: string) => (scalarText(about?.get([key])) === '' ? undefined : about?.scalars([key])[0]?.text)
  const version = spelled('version')
  return { name: spelled('name') ?? basename(chart), ...(version !== undefined && { version }) }
}
