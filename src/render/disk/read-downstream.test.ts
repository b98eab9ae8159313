import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { OneVariantFleet } from '../../../testdata/one-variant-fleet.ts'
import type { TestFiles } from '../../../testdata/test-fleet.ts'

function revision(text: string): TestFiles {
  return {
    Kptfile: 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: shop}\n',
    'db/Kptfile': `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: db}\ninfo: {description: ${text}}\n`,
    'db/db.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: db}\ndata: {value: ${text}}\n`,
  }
}

/** Sub-Kptfiles that kpt does not read, each with what the error says. */
const UNREADABLE: readonly (readonly [string, string, RegExp])[] = [
  ['that holds a conflict of a merge', '<<<<<<< HEAD\nkind: Kptfile\n=======\nkind: Kptfile\n>>>>>>> main\n', /a conflict of a merge/],
  ['that is no YAML', 'apiVersion: kpt.dev/v1\nkind: {Kptfile\n', /expected YAML/],
  ['of an old version', 'apiVersion: kpt.dev/v1alpha1\nkind: Kptfile\nmetadata: {name: db}\n', /must be 'kpt.dev\/v1'/],
  ['of another kind', 'apiVersion: kpt.dev/v1\nkind: Kptfle\nmetadata: {name: db}\n', /must be 'Kptfile'/],
  ['that is empty', '', /must hold a Kptfile/],
  ['that is a list', '- a\n', /must hold a Kptfile/],
  [
    'with a second document',
    'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: db}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: z}\n',
    /the only document/,
  ],
]

test.each(UNREADABLE)('an update refuses a Kptfile of a subpackage %s, and writes nothing', (_, text, message) => {
  const fleet = new OneVariantFleet({ v1: revision('one'), v2: revision('two') })
  fleet.render(1)
  fleet.write('out/edge/shop/db/Kptfile', text)
  const before = fleet.files()
  expect(() => fleet.render(2)).toThrow(message)
  expect(() => fleet.render(2)).not.toThrow(/deleted/)
  expect(fleet.files()).toEqual(before)
})

test('a Kptfile of a subpackage that is as upstream has it is not judged', () => {
  const old = (text: string): TestFiles => ({
    ...revision(text),
    'db/Kptfile': 'apiVersion: kpt.dev/v1alpha1\nkind: Kptfile\nmetadata: {name: db}\n',
  })
  const fleet = new OneVariantFleet({ v1: old('one'), v2: old('two') })
  fleet.render(1)
  expect(Object.fromEntries(fleet.render(2).fates)).toEqual({ updated: 1 })
})

test.each(['db/db.yaml', 'Kptfile', 'pipe'])('a pipe at %s in a package is an error, and no deleted file', (path) => {
  const fleet = new OneVariantFleet({ v1: revision('one'), v2: revision('two') })
  fleet.render(1)
  const place = join(fleet.root, 'out/edge/shop', path)
  rmSync(place, { force: true })
  execFileSync('mkfifo', [place])
  expect(() => fleet.render(2)).toThrow(/a pipe/)
  expect(fleet.readPackage('db/db.yaml' === path ? 'db/Kptfile' : 'db/db.yaml')).toContain('one')
})

test('a resource that people turned from YAML into JSON is not called deleted', () => {
  const fleet = new OneVariantFleet({ v1: revision('one'), v2: revision('two') })
  fleet.render(1)
  rmSync(join(fleet.root, 'out/edge/shop/db/db.yaml'))
  fleet.write(
    'out/edge/shop/db/db.json',
    '{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "db"}, "data": {"value": "mine"}}\n',
  )
  const [found] = fleet.render(2).results
  expect(found?.message).toMatch(/^`ConfigMap db` was moved to 'db\/db\.json' here, and stays there as it is.*; upstream changed it/)
  expect(fleet.readPackage('db/db.json')).toContain('mine')
})
