import { Agent, request } from 'node:https'
import type { Definition } from './definitions.ts'
import type { FoundObject } from './objects.ts'

interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

interface Resource {
  readonly plural: string
  readonly isNamespaced: boolean
}

/** The server's answer about an object: `applied` is the object as the server would store it. */
export type Outcome =
  | { readonly applied: Readonly<Record<string, unknown>> }
  | { readonly refused: string }
  | { readonly unknownKind: string }

/** Asks an API server as kubectl does. */
export class ApiClient {
  private readonly agent: Agent
  private readonly url: string
  private readonly token: string | undefined
  private resources: Promise<ReadonlyMap<string, Resource>> | undefined

  constructor({ url, certificate, token }: { readonly url: string; readonly certificate: string; readonly token?: string }) {
    this.url = url
    this.token = token
    this.agent = new Agent({ ca: certificate, keepAlive: true, maxSockets: 16 })
  }

  /** Installs definitions, and waits until all their kinds are served. Throws for a definition that the server refuses. */
  async define(definitions: readonly Definition[]): Promise<void> {
    const answers = await Promise.all(
      definitions.map((definition) => this.request('POST', `${DEFINITIONS}?fieldValidation=Strict`, JSON.stringify(definition))),
    )
    const refused = answers.filter(({ status }) => status !== 201).map(({ body }) => String(body.message))
    if (refused.length > 0) throw new Error(`refused definitions:\n${refused.join('\n')}`)
    const lists = definitions.flatMap(({ spec }) =>
      spec.versions.filter(({ served }) => served).map(({ name }) => `/apis/${spec.group}/${name}/${spec.names.plural}?limit=1`),
    )
    for (const list of lists) await this.waitFor(list)
  }

  /**
   * Applies an object as `kubectl apply --server-side --force-conflicts --validate=strict --dry-run=server` does: the server decodes,
   * merges, sets defaults and validates, and stores nothing, so that objects of one name do not meet.
   */
  async apply({ apiVersion, kind, namespace, name, text }: FoundObject): Promise<Outcome> {
    this.resources ??= this.readResources()
    const resource = (await this.resources).get(`${apiVersion} ${kind}`)
    if (resource === undefined) return { unknownKind: `${apiVersion} ${kind}` }
    const place = resource.isNamespaced ? `namespaces/${encodeURIComponent(namespace ?? 'default')}/` : ''
    const path = `/apis/${apiVersion}/${place}${resource.plural}/${encodeURIComponent(name)}`
    const query = 'fieldManager=krm-variants&force=true&fieldValidation=Strict&dryRun=All'
    const { status, body } = await this.request('PATCH', `${path}?${query}`, text, 'application/apply-patch+yaml')
    return status === 200 || status === 201 ? { applied: body } : { refused: String(body.message) }
  }

  request(method: string, path: string, body = '', type = 'application/json'): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const asked = request(
        this.url + path,
        {
          method,
          agent: this.agent,
          headers: { 'content-type': type, ...(this.token !== undefined && { authorization: `Bearer ${this.token}` }) },
        },
        (answer) => {
          const parts: Buffer[] = []
          answer.on('data', (part: Buffer) => parts.push(part))
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: bodyOf(Buffer.concat(parts).toString()) }))
        },
      )
      asked.on('error', reject).end(body)
    })
  }

  private async waitFor(path: string): Promise<void> {
    const end = Date.now() + 60_000
    while ((await this.request('GET', path)).status !== 200) {
      if (Date.now() > end) throw new Error(`${path} is not served after a minute`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  private async readResources(): Promise<ReadonlyMap<string, Resource>> {
    const { body } = await this.request('GET', DEFINITIONS)
    const { items } = body as unknown as { readonly items: readonly Definition[] }
    return new Map([
      ['apiextensions.k8s.io/v1 CustomResourceDefinition', { plural: 'customresourcedefinitions', isNamespaced: false }],
      ...items.flatMap(({ spec }) =>
        spec.versions
          .filter(({ served }) => served)
          .map(({ name }): [string, Resource] => [
            `${spec.group}/${name} ${spec.names.kind}`,
            { plural: spec.names.plural, isNamespaced: spec.scope === 'Namespaced' },
          ]),
      ),
    ])
  }
}

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

function bodyOf(text: string): Readonly<Record<string, unknown>> {
  return text.startsWith('{') ? JSON.parse(text) : { message: text }
}
