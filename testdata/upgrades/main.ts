import { runUpgrades, type Upgrade } from './upgrades.ts'

/** The most lines of a package that may differ from a textual merge. */
const MOST_OFF = 0.01

const upgrades = await runUpgrades()
const row = (cells: readonly (string | number)[]): string =>
  [String(cells[0]).padEnd(50), ...cells.slice(1).map((cell) => String(cell).padStart(9))].join('')
const sum = (of: (upgrade: Upgrade) => number): number => upgrades.reduce((total, upgrade) => total + of(upgrade), 0)

process.stdout.write(`${row(['upgrade', 'lines', 'off', 'reported', 'lost'])}\n`)
for (const { name, lines, off, reported, lostEdits, lostFunctions, silentConflicts } of upgrades) {
  const lost = [...new Set([...lostEdits, ...lostFunctions, ...silentConflicts.map((path) => `${path}: a conflict without a warning`)])]
  process.stdout.write(`${row([name, lines, off, reported, lost.length])}\n`)
  for (const line of lost) process.stdout.write(`    ${line}\n`)
}
const off = sum((upgrade) => upgrade.off) / sum(({ lines }) => lines)
const faults = sum(({ lostEdits, lostFunctions, silentConflicts }) => lostEdits.length + lostFunctions.length + silentConflicts.length)
process.stdout.write(
  `${upgrades.length} upgrades, ${(off * 100).toFixed(2)} % of ${sum(({ lines }) => lines)} lines off the ideal, at most ${MOST_OFF * 100} % allowed; ${faults} lost without a warning\n`,
)
if (off > MOST_OFF || faults > 0) process.exitCode = 1
