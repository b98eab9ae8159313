import { expect, test } from 'vitest'
import { OneVariantFleet, rulesOf } from '../../../testdata/one-variant-fleet.ts'
import { kptfileText } from '../../../testdata/written-objects.ts'
import { readPackageFile } from '../../folder/read-package-file.ts'
import { lostCommentsBetween, ownCommentsBetween } from './comments-between.ts'

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

function layoutOf(text: string) {
  const { file } = readPackageFile('a.yaml', Buffer.from(text))
  if (file === undefined) throw new Error('a.yaml can be read')
  return file
}

const BETWEEN = `# licence\n---\n# of a\n${config('a', 'one # in a')}--- # second  \n${config('b', 'two')}---\n# end\n`

test('the comments between the objects of a file are those that upstream does not have there', () => {
  const own = (text: string, upstream?: string) =>
    ownCommentsBetween(layoutOf(text), upstream === undefined ? undefined : layoutOf(upstream))
  expect(own(BETWEEN)).toEqual(['# licence', '# second', '# end'])
  expect(own(BETWEEN, `# licence\n---\n# second\n${config('a', 'one # end')}`)).toEqual(['# second', '# end'])
  expect(own(BETWEEN, BETWEEN)).toEqual([])
  expect(ownCommentsBetween(undefined, layoutOf(BETWEEN))).toEqual([])
})

/** Returns the findings about the file `a.yaml` of a package, from its texts in the three packages to that after the update. */
function findings(texts: { readonly base?: string; readonly theirs?: string; readonly ours?: string; readonly after?: string }) {
  const layouts = (text: string | undefined) => new Map(text === undefined ? [] : [['a.yaml', layoutOf(text)]])
  const { base, theirs, ours, after } = texts
  const found = lostCommentsBetween(
    { base: layouts(base), theirs: layouts(theirs), ours: layouts(ours) },
    { folder: 'edge/shop', downstream: new Set(ours === undefined ? [] : ['a.yaml']) },
    () => (after === undefined ? undefined : Buffer.from(after)),
  )
  return found.map(({ severity, file, tags, message }) => `${severity} ${file?.path} ${tags.rule} ${message.replace(/, .*?:/, ':')}`)
}

const OBJECT = config('a', 'one')
const LOST = 'warning edge/shop/a.yaml comment-lost has the comments'
const PASSED = 'warning edge/shop/a.yaml change-passed-over'

test.each([
  ['a comment of people that stays', { base: OBJECT, theirs: OBJECT, ours: `# b\n---\n${OBJECT}`, after: `# b\n---\n${OBJECT}` }, []],
  [
    'a comment of people that is gone, named once',
    { base: OBJECT, theirs: OBJECT, ours: `# b\n---\n# b\n---\n${OBJECT}`, after: OBJECT },
    [`${LOST} '# b' between its objects: upstream removed or replaced the objects`],
  ],
  [
    'a comment of upstream that an edited file lacks, beside one of people that is gone',
    { base: OBJECT, theirs: `# up\n---\n${OBJECT}`, ours: `# b\n---\n${OBJECT}`, after: OBJECT },
    [
      `${LOST} '# b' between its objects: upstream removed or replaced the objects`,
      `${PASSED} keeps its own lines between objects: '# up'`,
    ],
  ],
  [
    'a new comment of upstream in a file that people deleted',
    { base: OBJECT, theirs: `# up\n---\n${OBJECT}` },
    [`${PASSED} is gone here: '# up'`],
  ],
  ['a new file of upstream', { theirs: `# up\n---\n${OBJECT}` }, []],
  ['no comments between objects', { base: OBJECT, theirs: OBJECT, ours: `# of a\n${OBJECT}`, after: OBJECT }, []],
])('an update has findings for %s', (_what, texts, expected) => {
  expect(findings(texts)).toEqual(expected)
})

test('a comment between the objects of a file with a Secret does not show a value of the Secret', () => {
  const secret = 'apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\nstringData:\n  password: hunter22\n'
  const [found = ''] = findings({ base: secret, theirs: secret, ours: `# was hunter22\n---\n${secret}`, after: secret })
  expect(found).toContain(LOST)
  expect(found).not.toContain('hunter22')
})
