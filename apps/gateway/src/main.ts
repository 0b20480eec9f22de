import 'reflect-metadata';
import { GatewayConfig, loadConfig } from '@fleet/config';
import { beginProcess, endOnFailure } from '@fleet/observability';
import { openDoor } from './access/open-door';
import { createGateway } from './create-gateway';
import { gatewayModule } from './gateway.module';

/** Milliseconds; shorter than the 30 s that Kubernetes waits before it kills. */
const drainMs = 10_000;

const start = async (): Promise<void> => {
  const logger = beginProcess('gateway');
  try {
    const { host, port, maxBodyBytes, names } = loadConfig(GatewayConfig);
    const app = await createGateway(gatewayModule(), {
      maxBodyBytes,
      logger,
      drainMs,
      names: [host, ...(names ?? '').split(/[ ,]+/)].filter((name) => name !== ''),
    });
    app.enableShutdownHooks();
    await app.init();
    await openDoor(app);
    await app.listen(port, host);
    logger.log({ message: 'gateway is ready', url: await app.getUrl(), pid: process.pid });
  } catch (error) {
    endOnFailure(logger, 'gateway', error);
  }
};

void start();
