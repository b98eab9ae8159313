import { expect, test } from 'vitest'
import { OneVariantFleet, rulesOf } from '../../../testdata/one-variant-fleet.ts'
import { kptfileText } from '../../../testdata/written-objects.ts'

const KPTFILE = kptfileText('shop')
const config = (name: string, value: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  value: ${value}\n`

test('headers of people in documents of their own stay when a package is updated, also in its Kptfile', () => {
  const fleet = new OneVariantFleet({
    v1: { Kptfile: KPTFILE, 'shop.yaml': config('shop', 'one') },
    v2: { Kptfile: KPTFILE, 'shop.yaml': config('shop', 'two') },
  })
  fleet.render(1)
  const paths = ['Kptfile', 'package-context.yaml', 'shop.yaml']
  const header = '# a licence\n---\n# of ours\n---\n'
  for (const path of paths) fleet.editPackage(path, 'apiVersion', `${header}apiVersion`)
  expect(rulesOf(fleet.render(2))).toEqual([])
  for (const path of paths) expect(fleet.readPackage(path)).toMatch(/^# a licence\n---\n# of ours\n---\napiVersion/)
  expect(fleet.readPackage('shop.yaml')).toContain('value: two')
})

test.each([
  { what: 'removed', file: undefined },
  { what: 'renamed', file: config('other', 'two') },
])('a comment between objects is a warning when upstream $what all objects of its file', ({ file }) => {
  const fleet = new OneVariantFleet({
    v1: { Kptfile: KPTFILE, 'shop.yaml': config('shop', 'one') },
    v2: { Kptfile: KPTFILE, 'shop.yaml': file, 'more.yaml': config('more', 'two') },
  })
  fleet.render(1)
  fleet.editPackage('shop.yaml', 'apiVersion', '# mine\n---\napiVersion')
  const messages = fleet.render(2).results.map(({ message }) => message)
  expect(messages).toEqual(["has the comments '# mine' between its objects, which are lost: upstream removed or replaced the objects"])
})

test('a new comment of upstream between objects arrives in an unedited file, and is a warning in an edited one', () => {
  const text = config('shop', 'one')
  const revisions = { v1: { Kptfile: KPTFILE, 'shop.yaml': text }, v2: { Kptfile: KPTFILE, 'shop.yaml': `--- # upstream\n${text}` } }
  const untouched = new OneVariantFleet(revisions)
  untouched.render(1)
  expect(rulesOf(untouched.render(2))).toEqual([])
  expect(untouched.readPackage('shop.yaml')).toMatch(/^--- # upstream\n/)
  const edited = new OneVariantFleet(revisions)
  edited.render(1)
  edited.editPackage('shop.yaml', 'value: one', 'value: mine')
  const messages = edited.render(2).results.map(({ message }) => message)
  expect(messages).toEqual(["keeps its own lines between objects, and lacks upstream's comments there: '# upstream'"])
  expect(edited.readPackage('shop.yaml')).toContain('value: mine')
})

test.each([
  { what: 'of the package', path: 'shop.yaml', also: {} },
  { what: 'of a subpackage that stays', path: 'sub/shop.yaml', also: { 'sub/Kptfile': KPTFILE } },
])('a new comment of upstream between the objects of a file $what that people deleted is a warning', ({ path, also }) => {
  const text = config('shop', 'one')
  const fleet = new OneVariantFleet({
    v1: { Kptfile: KPTFILE, ...also, [path]: text, 'more.yaml': text },
    v2: { Kptfile: KPTFILE, ...also, [path]: `--- # upstream\n${text}`, 'more.yaml': `# of no file here\n---\n${text}` },
  })
  fleet.render(1)
  fleet.writeAll('out/edge/shop', { [path]: undefined })
  const found = fleet.render(2).results.map(({ file, message }) => `${file?.path} ${message}`)
  const place = `out/edge/shop/${path}`
  expect(found).toEqual([`${place} is gone here, and stays so; upstream wrote comments between its objects: '# upstream'`])
})

test("a comment of upstream behind the separator of a new object arrives where people deleted the file's first object", () => {
  const [shop, more] = [config('shop', 'one'), config('more', 'two')]
  const fleet = new OneVariantFleet({
    v1: { Kptfile: KPTFILE, 'shop.yaml': `---\n${shop}` },
    v2: { Kptfile: KPTFILE, 'shop.yaml': `---\n${shop}--- # of more\n${more}` },
  })
  fleet.render(1)
  fleet.writeAll('out/edge/shop', { 'shop.yaml': undefined })
  expect(rulesOf(fleet.render(2))).toEqual([])
  expect(fleet.readPackage('shop.yaml')).toMatch(/^--- # of more\napiVersion/)
})

test('new line breaks of upstream arrive in an unedited file', () => {
  const text = config('shop', 'one')
  const fleet = new OneVariantFleet({
    v1: { Kptfile: KPTFILE, 'shop.yaml': text },
    v2: { Kptfile: KPTFILE, 'shop.yaml': text.replaceAll('\n', '\r\n') },
  })
  fleet.render(1)
  expect(rulesOf(fleet.render(2))).toEqual([])
  expect(fleet.readPackage('shop.yaml')).toMatch(/^apiVersion: v1\r\nkind: ConfigMap\r\n/)
})
