import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dump, load } from 'js-yaml';

/** What the chart gives to Prometheus and Grafana. */
export const chartFiles = join(__dirname, '../../helm/phenix-fleet/files');
interface Rule {
  readonly alert: string;
  readonly expr: string;
}
interface RuleFile {
  readonly groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[];
}

/** The same rules in seconds: what holds for minutes is looked at for 20 s, and what waits for two minutes counts after five seconds. */
const hastened = (): string => {
  const { groups } = load(readFileSync(join(chartFiles, 'alerts.yaml'), 'utf8')) as RuleFile;
  const expr = (text: string): string =>
    text.replaceAll(/\[\d+m\]/g, '[20s]').replace('_seconds) > 120', '_seconds) > 5');
  return dump({
    groups: groups.map(({ name, rules }) => ({
      name,
      interval: '1s',
      rules: rules.map((rule) => ({ ...rule, expr: expr(rule.expr), for: '2s' })),
    })),
  });
};

/** What Alertmanager has told: alerts that fire now, and those that did and do no more. */
class Receiver {
  readonly firing = new Set<string>();
  readonly cleared = new Set<string>();
  private readonly server: Server;

  constructor(private readonly port: number) {
    this.server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        this.take(Buffer.concat(parts).toString());
        response.end();
      });
    }).listen(port, '127.0.0.1');
  }

  get url(): string {
    return `http://127.0.0.1:${String(this.port)}/`;
  }

  close(): void {
    this.server.close();
  }

  private take(text: string): void {
    const { alerts } = JSON.parse(text) as {
      alerts: readonly { readonly status: string; readonly labels: { readonly alertname: string } }[];
    };
    for (const { status, labels } of alerts) {
      if (status === 'firing') this.firing.add(labels.alertname);
      else if (this.firing.delete(labels.alertname)) this.cleared.add(labels.alertname);
    }
  }
}

/** Prometheus and Alertmanager of their own, reading an installation's services. */
export class Monitoring {
  readonly receiver: Receiver;
  private readonly folder = mkdtempSync(join(tmpdir(), 'fleet-monitoring-'));
  private readonly processes: ChildProcess[] = [];

  constructor(
    targets: Readonly<Record<string, number>>,
    private readonly ports: { readonly prometheus: number; readonly alertmanager: number; readonly receiver: number },
  ) {
    this.receiver = new Receiver(ports.receiver);
    this.write('rules.yaml', hastened());
    this.write('alertmanager.yaml', dump(this.routes()));
    this.write('prometheus.yaml', dump(this.scrapes(targets)));
    this.launch('alertmanager', [
      '--config.file=alertmanager.yaml',
      '--storage.path=alerts',
      '--cluster.listen-address=',
      `--web.listen-address=127.0.0.1:${String(ports.alertmanager)}`,
    ]);
    this.launch('prometheus', [
      '--config.file=prometheus.yaml',
      '--storage.tsdb.path=data',
      `--web.listen-address=127.0.0.1:${String(ports.prometheus)}`,
    ]);
  }

  /** The rows that an instant query gives. @throws Error where Prometheus cannot read it */
  async ask(query: string): Promise<readonly unknown[]> {
    const url = `http://127.0.0.1:${String(this.ports.prometheus)}/api/v1/query?${new URLSearchParams({ query }).toString()}`;
    const answer = (await (await fetch(url)).json()) as {
      readonly status: string;
      readonly error?: string;
      readonly data?: { readonly result: readonly unknown[] };
    };
    if (answer.status !== 'success') throw new Error(`${query}: ${answer.error ?? ''}`);
    return answer.data?.result ?? [];
  }

  /** Whether Prometheus answers. */
  isReady(): Promise<boolean> {
    return fetch(`http://127.0.0.1:${String(this.ports.prometheus)}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  stop(): void {
    for (const one of this.processes) one.kill('SIGKILL');
    this.receiver.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private routes(): object {
    const receiver = 'bench';
    return {
      route: { receiver, group_by: ['...'], group_wait: '1s', group_interval: '1s', repeat_interval: '1h' },
      receivers: [{ name: receiver, webhook_configs: [{ url: this.receiver.url, send_resolved: true }] }],
    };
  }

  private scrapes(targets: Readonly<Record<string, number>>): object {
    return {
      global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
      rule_files: ['rules.yaml'],
      alerting: {
        alertmanagers: [{ static_configs: [{ targets: [`127.0.0.1:${String(this.ports.alertmanager)}`] }] }],
      },
      scrape_configs: [
        {
          job_name: 'fleet',
          static_configs: Object.entries(targets).map(([name, port]) => ({
            targets: [`127.0.0.1:${String(port)}`],
            labels: { namespace: 'fleet', pod: `${name}-0`, app_kubernetes_io_component: name },
          })),
        },
      ],
    };
  }

  private write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  private launch(program: string, args: readonly string[]): void {
    this.processes.push(spawn(program, args, { cwd: this.folder, stdio: 'ignore' }));
  }
}
