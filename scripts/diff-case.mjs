import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parse } from 'yaml'
import { ROOT, say } from './ready.mjs'

/**
 * Prints what golden cases change: for each, its description and the lines in which `expected.yaml` differs from `input.yaml`.
 *
 * @param name  `FUNCTION/CASE`, `CASE`, `FUNCTION` for all its cases, or a path of one of these
 * @returns the exit code: 1 if no case has the name
 */
export function diffCases(name = '') {
  const wanted = relative(join(ROOT, 'testdata'), join(ROOT, 'testdata', name.replace(/^.*testdata\//, '').replace(/\/+$/, '')))
  const found = goldenCases().filter((each) => [each, ...each.split('/')].includes(wanted))
  if (found.length === 0) {
    const near = goldenCases().filter((each) => wanted !== '' && each.includes(wanted))
    say(`no golden case is named '${name}': name a FUNCTION/CASE, a CASE or a FUNCTION of testdata/`)
    for (const each of near.slice(0, 10)) say(`  ${each}`)
    return 1
  }
  for (const [nth, each] of found.entries()) {
    if (nth > 0) process.stdout.write('\n')
    printDiff(each)
  }
  return 0
}

/** Returns every `FUNCTION/CASE` below testdata/. */
function goldenCases() {
  const folders = (path) => readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
  const testdata = join(ROOT, 'testdata')
  return folders(testdata)
    .flatMap((fn) => folders(join(testdata, fn)).map((each) => `${fn}/${each}`))
    .filter((each) => existsSync(join(testdata, each, 'expected.yaml')))
}

function printDiff(each) {
  const folder = join('testdata', each)
  const { description, exitCode = 0 } = parse(readFileSync(join(ROOT, folder, 'case.yaml'), 'utf8'))
  process.stdout.write(`${folder}: ${description}${exitCode === 0 ? '' : ` (exit code ${exitCode})`}\n`)
  // Without a difference git prints nothing, with one it exits with 1.
  const colour = process.stdout.isTTY ? '--color=always' : '--color=never'
  const { stdout, stderr, error } = spawnSync('git', ['diff', '--no-index', '--no-ext-diff', colour, 'input.yaml', 'expected.yaml'], {
    cwd: join(ROOT, folder),
    encoding: 'utf8',
  })
  // The four lines above the first hunk name two files that the first line has named already.
  const lines = (stdout ?? '').split('\n').slice(4)
  process.stdout.write(lines.join('\n') || 'no line differs\n')
  if (error !== undefined || stderr !== '') say(error?.message ?? stderr)
}
