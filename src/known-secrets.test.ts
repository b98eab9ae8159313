import { beforeEach, expect, test } from 'vitest'
import { hideKnownIn, hideKnownSecrets, noteSecret, watchSecrets } from './known-secrets.ts'
import { KrmObject } from './resource-list/krm-object.ts'

beforeEach(watchSecrets)

/** Reads a Secret with one value. */
function readSecret(value: string, key = 'password'): void {
  KrmObject.fromDocument(`apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {${key}: ${JSON.stringify(value)}}\n`)
}

test('a value of a Secret that was read is hidden in any text, as written and encoded', () => {
  readSecret('k9-Tz"81x')
  expect(hideKnownSecrets('pw: k9-Tz"81x, {"pw": "k9-Tz\\"81x"}, azktVHoiODF4')).toBe('pw: not-shown, {"pw": "not-shown"}, not-shown')
})

test('a value that was not there before the change is another one', () => {
  readSecret('k9-Tz181x')
  readSecret('k9-Tz282x')
  expect(hideKnownSecrets('pw: k9-Tz282x', 'pw: k9-Tz181x')).toBe('pw: other-not-shown')
  expect(hideKnownIn({ a: ['k9-Tz282x', 1] }, { a: ['k9-Tz282x'] })).toEqual({ a: ['not-shown', 1] })
})

test.each(['cluster-eu-01', 'https://db2.example.com:5432/', '10.0.12.128', 'postgresql', '1500000000', 'two words', 'k9-Tz1'])(
  'a value that may name other things stays in texts about others: %s',
  (value) => {
    readSecret(value)
    expect(hideKnownSecrets(`x ${value}`)).toBe(`x ${value}`)
  },
)

test('an address with a password is hidden, and the name of a server is not', () => {
  readSecret('https://user:hunter2@db.example.com/', 'url')
  readSecret('https://A1B2C3D4.gr7.example.com', 'server')
  expect(hideKnownSecrets('https://user:hunter2@db.example.com/ https://A1B2C3D4.gr7.example.com')).toBe(
    'not-shown https://A1B2C3D4.gr7.example.com',
  )
})

test('values of Secrets in a List are hidden, those of other kinds and of files that are no YAML are not known', () => {
  const item = (kind: string, value: string) => ({ apiVersion: 'v1', kind, metadata: { name: 'a' }, data: { pw: value } })
  KrmObject.fromDocument(
    JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [item('Secret', 'k9-Tz181x'), item('ConfigMap', 'k9-Tz383x')] }),
  )
  noteSecret({ kind: 'Secret', toJson: () => KrmObject.fromDocument('a: [').toJson() }, 'kind: Secret')
  expect(hideKnownSecrets('k9-Tz181x k9-Tz383x')).toBe('not-shown k9-Tz383x')
})

test('a Secret that cannot be read is read once, and the Secrets behind it are known', () => {
  const faulty = KrmObject.fromDocument('apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: *unknown\n')
  watchSecrets()
  let reads = 0
  const toJson = () => {
    reads++
    return faulty.toJson()
  }
  noteSecret({ kind: 'Secret', toJson }, 'kind: Secret')
  readSecret('k9-Tz181x')
  expect(hideKnownSecrets('k9-Tz181x')).toBe('not-shown')
  expect(reads).toBe(1)
})

test('values of Secrets of an earlier run in the process are not hidden', () => {
  readSecret('k9-Tz181x')
  watchSecrets()
  expect(hideKnownSecrets('k9-Tz181x')).toBe('k9-Tz181x')
})

test('an annotation of people in a Secret is hidden in texts about others, and one that describes the Secret is not', () => {
  const annotations = {
    'acme.dev/last': 'k9-Tz181x',
    'acme.dev/checksum': '5d41402abc4b',
    'acme.dev/made': '2026-01-02T03:04:05Z',
    'acme.dev/team': 'shop-01',
  }
  KrmObject.fromDocument(JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a', annotations } }))
  expect(hideKnownSecrets('k9-Tz181x 5d41402abc4b 2026-01-02T03:04:05Z shop-01')).toBe(
    'not-shown 5d41402abc4b 2026-01-02T03:04:05Z shop-01',
  )
})

/** Returns a text about another object that repeats an annotation of a Secret. */
function shownNote(key: string, value: string): string {
  KrmObject.fromDocument(JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a', annotations: { [key]: value } } }))
  return hideKnownSecrets(value)
}

test.each([
  ['vault.hashicorp.com/previous-token', 'k9-Tz181x'],
  ['example.com/last-update-password', 'k9-Tz181x'],
  ['previous-version', 'k9-Tz181x'],
  ['acme.dev/server-url', 'https://user:hunter2@db.example.com/'],
  ['acme.dev/last', 'team-a,k9-Tz181x'],
])('an annotation %s that may hold an earlier value is hidden in texts about others', (key, value) => {
  expect(shownNote(key, value)).toBe('not-shown')
})

test.each([
  ['cert-manager.io/common-name', 'web01a.example.com'],
  ['cert-manager.io/alt-names', 'web01a.example.com,db-7f3c.example.com'],
  ['acme.dev/owner', 'j.smith2024@example.com'],
  ['acme.dev/replicate-to', 'team-a,team-b'],
  ['acme.dev/configHash', '5d41402abc4b'],
])('an annotation %s that names other things stays in texts about others', (key, value) => {
  expect(shownNote(key, value)).toBe(value)
})
