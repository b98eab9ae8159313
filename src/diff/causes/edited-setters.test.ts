import { expect, test } from 'vitest'
import { EMPTY_FOLDER, fileInMemory, type WholeFolder } from '../../folder/whole-folder.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { editedSetters, textOfFolder } from './edited-setters.ts'

const OBJECT = objectIn('config.yaml')

function objectIn(path: string): KrmObject {
  const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata:\n  image: web:2 # kpt-set: ${name}:${tag}\n'
  return KrmObject.fromDocument(text, { path: `clusters/web/${path}`, index: 0, line: 1 })
}

/** Returns a package with some files and a Kptfile with some mutators, each a line. */
function folder(mutators: readonly string[], files: Readonly<Record<string, string>> = {}): WholeFolder {
  const kptfile = `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: web}\npipeline:\n  mutators:\n${mutators.map((each) => `  - ${each}\n`).join('')}`
  const texts = Object.entries({ Kptfile: kptfile, ...files })
  return { ...EMPTY_FOLDER, files: new Map(texts.map(([path, text]) => [path, fileInMemory(Buffer.from(text), 0o644)])) }
}

/** Returns the lines of the setters that differ between two states. */
function edited(before: WholeFolder, after: WholeFolder, object = OBJECT): readonly string[] {
  const place = 'clusters/web'
  const found = editedSetters(object, ['data', 'image'], { before: textOfFolder(before, place), after: textOfFolder(after, place), place })
  return found.map(({ text, file, line }) => `${text} ${file}:${line}`)
}

const setters = (tag: string) => `{image: apply-setters:v0.2, configMap: {name: web, tag: "${tag}"}}`

test('an edited setter has the line of its value, in the Kptfile or in the file of configPath', () => {
  expect(edited(folder([setters('1')]), folder([setters('2')]))).toEqual(['pipeline.mutators[0].configMap.tag clusters/web/Kptfile:6'])
  const config = (tag: string) =>
    folder(['{image: apply-setters:v0.2, configPath: ./setters.yaml}'], {
      'setters.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: setters}\ndata:\n  name: web\n  tag: "${tag}"\n`,
    })
  expect(edited(config('1'), config('2'))).toEqual(['data.tag clusters/web/setters.yaml:6'])
  expect(edited(config('1'), config('1'))).toEqual([])
})

test('a setter that only its function moved with is not edited', () => {
  const added = '{image: set-annotations:v0.1, configMap: {a: b}}'
  expect(edited(folder([setters('1')]), folder([added, setters('2')]))).toEqual([
    'pipeline.mutators[1].configMap.tag clusters/web/Kptfile:7',
  ])
})

test('the config of another function is no setter', () => {
  const labels = (tag: string) => `{image: set-labels:v0.2, configMap: {tag: "${tag}"}}`
  expect(edited(folder([labels('1'), setters('1')]), folder([labels('2'), setters('2')]))).toEqual([
    'pipeline.mutators[1].configMap.tag clusters/web/Kptfile:7',
  ])
})

test('a setter of a subpackage is named for the objects of the subpackage alone', () => {
  const sub = (tag: string) =>
    folder([], {
      'db/Kptfile':
        'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: db}\npipeline:\n  mutators:\n  - {image: apply-setters:v0.2, configPath: setters.yaml}\n',
      'db/setters.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: setters}\ndata:\n  tag: "${tag}"\n`,
    })
  expect(edited(sub('1'), sub('2'), objectIn('db/config.yaml'))).toEqual(['data.tag clusters/web/db/setters.yaml:5'])
  expect(edited(sub('1'), sub('2'))).toEqual([])
})

test('a setter of the package is named for the objects of a subpackage too', () => {
  expect(edited(folder([setters('1')]), folder([setters('2')]), objectIn('db/config.yaml'))).toEqual([
    'pipeline.mutators[0].configMap.tag clusters/web/Kptfile:6',
  ])
})
