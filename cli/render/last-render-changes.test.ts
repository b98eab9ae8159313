import { chmodSync, cpSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RecordedRun } from '../../testdata/cli/recorded-run.ts'
import { randomRuns } from '../../testdata/random-runs.ts'
import {
  filesOfPackages,
  makeFleet,
  type RememberedFleet,
  render,
  replaceIn,
  SITES,
  writeRepositories,
  writeSet,
} from './testing/remembered-fleet.ts'

/** The changes that people make between two renders. */
const CHANGES: Readonly<Record<string, (fleet: RememberedFleet, site: number) => void>> = {
  nothing: () => {},
  'an edit of a package': ({ out }, site) => appendTo(join(out, `site-${site}/web/deploy.yaml`), `# edited\n`),
  'an edit of what the variant sets': ({ out }, site) =>
    replaceIn(join(out, `site-${site}/web/package-context.yaml`), /value: .*/, 'value: mine'),
  'a touched file': ({ out }, site) => touch(join(out, `site-${site}/web/notes.txt`)),
  'a removed file': ({ out }, site) => rmSync(join(out, `site-${site}/web/notes.txt`), { force: true }),
  'a new file': ({ out }, site) =>
    existsSync(join(out, `site-${site}/web`)) && writeFileSync(join(out, `site-${site}/web/own.yaml`), 'a: b\n'),
  'the package context of another package': ({ out }, site) => {
    const [from, to] = [site, (site + 1) % SITES].map((each) => join(out, `site-${each}/web/package-context.yaml`))
    if (from !== undefined && to !== undefined && existsSync(from) && existsSync(to)) cpSync(from, to)
  },
  'a broken Kptfile': ({ out }, site) => appendTo(join(out, `site-${site}/web/Kptfile`), `info: {}\ninfo: {}\n`),
  'an executable file': ({ out }, site) =>
    existsSync(join(out, `site-${site}/web/notes.txt`)) && chmodSync(join(out, `site-${site}/web/notes.txt`), 0o755),
  'a removed package': ({ out }, site) => rmSync(join(out, `site-${site}`), { recursive: true, force: true }),
  'a package behind a link': ({ out, root }, site) => {
    const [from, to] = [join(out, `site-${site}`), join(root, `elsewhere-${site}`)]
    if (!existsSync(from) || existsSync(to)) return
    renameSync(from, to)
    symlinkSync(to, from)
  },
  'a removed Kptfile': ({ out }, site) => rmSync(join(out, `site-${site}/web/Kptfile`), { force: true }),
  'a copied package': ({ out }, site) =>
    existsSync(join(out, `site-${site}`)) && cpSync(join(out, `site-${site}`), join(out, 'copy'), { recursive: true }),
  'another revision': (fleet, site) => writeSet(fleet, (site % 2) + 1, 'a'),
  'another value': (fleet, site) => writeSet(fleet, 1, `v${site}`),
  'another label': (fleet, site) => writeRepositories(fleet, SITES, `r${site}`),
  'fewer targets': (fleet) => writeRepositories(fleet, SITES - 1, 'eu'),
  'a changed upstream': ({ root }, site) => appendTo(join(root, `fleet/catalog/web@v${(site % 2) + 1}/deploy.yaml`), `  more: '${site}'\n`),
}

function appendTo(file: string, text: string): void {
  if (existsSync(file)) writeFileSync(file, `${readFileSync(file, 'utf8')}${text}`)
}

function touch(file: string): void {
  if (existsSync(file)) utimesSync(file, new Date(), new Date())
}

/** Returns a run without the warning that only the record makes possible. */
function withoutInPlace(run: RecordedRun): RecordedRun {
  const without = (text: string) => text.replace(/^.*\[upstream-changed-in-place\]\n/gm, '')
  return { ...run, stderr: without(run.stderr), both: without(run.both) }
}

const CHANGE = fc.record({ what: fc.constantFrom(...Object.keys(CHANGES)), site: fc.nat(SITES - 1) })

test('after any changes, a render with the record says and leaves what a render without it does', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(CHANGE, { maxLength: 2 }), { minLength: 1, maxLength: 4 }), async (rounds) => {
      const [remembering, forgetting] = [makeFleet(), makeFleet()]
      for (const changes of [[], ...rounds]) {
        for (const { what, site } of changes) for (const fleet of [remembering, forgetting]) CHANGES[what]?.(fleet, site)
        const [ours, theirs] = [await render(remembering, true), await render(forgetting, false)]
        expect(withoutInPlace(ours)).toEqual(theirs)
        expect(filesOfPackages(remembering)).toEqual(filesOfPackages(forgetting))
      }
    }),
    { numRuns: randomRuns(2) },
  )
})
