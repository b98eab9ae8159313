import { KrmObject } from '../src/resource-list/krm-object.ts'

/** Returns an object that is written as one document; the path is `a.yaml` if none is given. */
export function writtenObject(text: string, path = 'a.yaml'): KrmObject {
  return KrmObject.fromDocument(text, { path, index: 0, line: 1 })
}

/** Returns the text of a Kptfile, with lines of its metadata and below. */
export function kptfileText(name: string, more = ''): string {
  return `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: ${name}\n${more}`
}

/** Returns the text of a ConfigMap, with lines of its metadata and below. */
export function configMapText(name: string, more = ''): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n${more}`
}
