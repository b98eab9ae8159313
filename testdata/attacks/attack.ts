import type { KrmFunction } from '../../src/run.ts'

/** An input that is made to cost more than its size. It must end in an error, or in a right answer. */
export interface Attack {
  readonly what: string
  readonly fn: KrmFunction
  readonly text: () => string
  /** The time it may take, in units of reading a megabyte of ordinary items, measured in the same process: three times what it needs. */
  readonly units: number
  /**
   * Why three times what it needs may be more than ten times as long as an ordinary input of its size: what there is to be done is counted.
   */
  readonly counted?: string | undefined
}

/** As a function that looks at all values would. */
export const readAll: KrmFunction = (list) => {
  for (const item of list.items) item.get(['spec'])
}

export const WRAPPER = 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n'
export const HEAD = `${WRAPPER}- apiVersion: v1\n  kind: A\n  metadata:\n    name: a\n`

export function repeat(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => line(index)).join('')
}

/** So many megabytes of items as packages have them. */
export function ordinaryItems(megabytes: number): string {
  const item = (n: number) => `- apiVersion: apps/v1
  kind: Deployment
  metadata: # kpt-merge: default/web-${n}
    name: web-${n}
    namespace: default
    annotations:
      config.kubernetes.io/index: '0'
      config.kubernetes.io/path: 'apps/web-${n}.yaml'
      internal.config.kubernetes.io/path: 'apps/web-${n}.yaml'
  spec:
    replicas: 3
    selector:
      matchLabels:
        app: web
    template:
      spec:
        containers:
        - name: web
          image: nginx:1.14.2 # kpt-set: \${image}
          args: ["--port", "8080"]
          ports:
          - containerPort: 8080
            protocol: TCP
`
  return repeat(Math.ceil((megabytes * 1e6) / item(1000).length), item)
}
