import type { NewerRevision } from '../../src/fleet/releases/newer-revisions.ts'
import { writeRevision } from '../../src/fleet/releases/ring-revisions.ts'
import { realPlace } from '../../src/folder/inside-folder.ts'
import { printable } from '../../src/printable.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import type { Result } from '../../src/result.ts'
import { countOf } from '../../src/wording.ts'
import type { FleetReading } from '../fleet/fleet-reading.ts'
import { holdingFolders } from '../hold-folders.ts'
import type { ExitCode, Host } from '../host.ts'
import { renderChanged } from '../render/render-fleet.ts'
import type { RingFleet } from '../rings/read-rings.ts'
import { writeEdits } from '../write-edits.ts'
import type { OutdatedOptions } from './outdated.ts'
import { UpdateOutcomes } from './outdated-view.ts'
import { type OutdatedSubpackage, raiseSubpackage } from './subpackages-behind.ts'

interface Rendered {
  readonly outcomes?: UpdateOutcomes
  /** The faults that prevent rendering the fleet with the newer revisions. */
  readonly results: readonly Result[]
}

/** Renders the fleet in memory with the newer revisions. Returns no outcomes if the packages are not to be rendered or have no folder. */
export async function renderNewer(
  newer: readonly NewerRevision[],
  reading: FleetReading,
  options: OutdatedOptions,
  host: Host,
): Promise<Rendered> {
  if (newer.length === 0 || !options.render) return { results: [] }
  const outcomes = new UpdateOutcomes()
  const request = { ...options, fanOut: true, run: options.run && ('known' as const), allowMoved: true }
  const change = (items: readonly KrmObject[]) => setRevisions(newer, items)
  const faults = await renderChanged(reading, request, host, { change, look: (rendered) => outcomes.take(rendered) })
  if (faults?.length === 0) return { outcomes, results: [] }
  if (faults === undefined) host.warn('the packages are not rendered: neither --out nor the options of render-variants name their folder\n')
  return { results: faults ?? [] }
}

/** Writes the newer revisions into copies of the objects of the fleet: those at the same place of the same file. */
function setRevisions(newer: readonly NewerRevision[], items: readonly KrmObject[]): void {
  const placeOf = ({ file }: KrmObject) => `${file?.index} ${file?.path}`
  const objects = new Map(items.map((item) => [placeOf(item), item]))
  for (const { field, written } of newer) {
    const object = objects.get(placeOf(field.object))
    if (object !== undefined && written !== undefined) writeRevision({ ...field, object }, written)
  }
}

/**
 * Writes the newer revisions, except for those that an earlier ring or another ring of the line holds, and those of subpackages, which may
 * be in packages outside of the folder.
 */
export async function writeNewer(
  newer: readonly NewerRevision[],
  subpackages: readonly OutdatedSubpackage[],
  { reading: { read, out }, packages }: RingFleet,
  dir: string,
  { format, dryRun = false }: OutdatedOptions,
  host: Host,
): Promise<ExitCode> {
  const free = newer.filter(({ held }) => held.length === 0)
  for (const { field, written } of free) if (written !== undefined) writeRevision(field, written)
  for (const subpackage of subpackages) raiseSubpackage(subpackage)
  // A PackageRevisionSet may be named by several matrices.
  const lines = new Set(free.map(({ field: { object, path } }) => JSON.stringify([object.file, path]))).size + subpackages.length
  const say = format === 'text' ? host.write : host.warn
  const showing = { say, isDryRun: dryRun }
  const [root, apart] = [realPlace(host.locate(dir)), out !== undefined && packages.length > 0 ? realPlace(out.disk) : undefined]
  const isApart = apart !== undefined && !`${apart}/`.startsWith(`${root}/`)
  const changes = await holdingFolders({ dirs: isApart ? [out?.shown ?? dir] : [], isWriting: !dryRun }, host, () => {
    const written = [...writeEdits(read, dir, showing, host)]
    for (const each of packages) written.push(...writeEdits(each, out?.shown ?? dir, { ...showing, isSecond: written.length > 0 }, host))
    return written
  })
  const summary = `${countOf(lines, 'revision')} ${dryRun ? 'to change' : 'changed'} in ${countOf(changes.length, 'file')}`
  host.warn(`${printable(summary)}\n`)
  return 0
}
