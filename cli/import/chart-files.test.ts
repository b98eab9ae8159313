import { expect, test } from 'vitest'
import { chartMetadata } from './chart-files.ts'

test.each<[string, string, { readonly name: string; readonly version?: string }]>([
  ['a name and a version', 'name: web\nversion: 1.0.0\n', { name: 'web', version: '1.0.0' }],
  ['a blank in a quoted name', 'name: "my web"\nversion: \'1.0.0\' # newest\n', { name: 'my web', version: '1.0.0' }],
  ['a name on the next line', 'name:\n  web\n', { name: 'web' }],
  ['a map between brackets', '{name: web, version: 1.0.0}\n', { name: 'web', version: '1.0.0' }],
  ['a version that YAML reads as a number, as it is spelled', 'name: web\nversion: 1.10\n', { name: 'web', version: '1.10' }],
  ['the line break of Windows, and a header', '# chart\r\n---\r\nname: web\r\nversion: 1.0.0\r\n', { name: 'web', version: '1.0.0' }],
  ['the name and version of a dependency alone', 'dependencies:\n- name: db\n  version: 2.0.0\n', { name: 'folder' }],
  ['lines of a text that look like fields', 'description: |\n  of\n\n  name: other\nname: web\n', { name: 'web' }],
  ['a name and a version without a value', 'name:\nversion: null\n', { name: 'folder' }],
  ['a map in the place of the name', 'name: {a: b}\n', { name: 'folder' }],
  ['no YAML', 'name: "web\n', { name: 'folder' }],
  ['a list', '- name: web\n', { name: 'folder' }],
  ['nothing', '', { name: 'folder' }],
])('the chart is called as its Chart.yaml says, else as its folder: %s', (_, text, expected) => {
  expect(chartMetadata('charts/folder', new Map([['Chart.yaml', text]]))).toEqual(expected)
})
