import type { FleetObjects } from '../../src/fleet/read-fleet-folder.ts'
import { countOf } from '../../src/wording.ts'
import { FleetReading } from '../fleet/fleet-reading.ts'
import type { Host } from '../host.ts'
import { writeEdits } from '../write-edits.ts'
import { type Checked, checkFleet, type FleetChecks, readAndCheck } from './check-fleet.ts'
import { applyFixes, fixOf } from './fixes.ts'

/** The choices of the caller about fixes, and the format, which leaves stdout to data. */
interface FixOptions extends FleetChecks {
  readonly format: string
  readonly unsafeFixes?: boolean
}

/**
 * Writes what can be written, and shows it: beside data for programs on stderr.
 *
 * @throws FunctionError with each file that must not be written, before anything is
 */
export async function fixFindings(dir: string, options: FixOptions, host: Host): Promise<void> {
  // Packages outside of the folder are not written.
  const { read, results } = await readAndCheck(dir, options, host, false)
  if (read === undefined) return
  const fixed = await fixAll({ read, results }, dir, options, host)
  const say = options.format === 'text' ? host.write : host.warn
  const changes = writeEdits(read, dir, { say, isDryRun: false }, host)
  say(`${countOf(fixed, 'finding')} fixed in ${countOf(changes.length, 'file')}\n`)
}

/** Each round can uncover further findings: a misspelt key hides the faults below the key. More rounds than this uncover none. */
const MOST_ROUNDS = 5

/** Fixes findings in memory until a round fixes none. Returns the number of fixed findings. */
async function fixAll(
  { read, results }: Checked & { readonly read: FleetObjects },
  dir: string,
  options: FixOptions,
  host: Host,
): Promise<number> {
  let fixed = 0
  let found = results
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const wanted = found.filter((result) => fixOf(result) === 'safe' || (options.unsafeFixes === true && fixOf(result) === 'unsafe'))
    const { length } = applyFixes(wanted, read.list.items)
    if (length === 0) break
    fixed += length
    found = (await checkFleet(new FleetReading(read, dir, options, host), options, host)).results
  }
  return fixed
}
