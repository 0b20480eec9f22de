import type { Principal } from '@fleet/contracts/access';
import type { FirstStep } from '@fleet/contracts/batches';
import { isFault } from '@fleet/contracts/faults';
import type { FileUse, Session, SessionFile } from '@fleet/contracts/sessions';
import type { SubmissionReading } from '@fleet/contracts/submissions';
import { ProblemList } from '@fleet/problems';
import { fileRulesOf } from '../request/inspect-files';
import type { SessionPorts } from '../session/session-ports';
import { readSubmissionBody } from './submission-body';
import type { SubmitSession } from './submit-session';
import { submittedInputs } from './submitted-inputs';

/** Predicts the first step of a session; undefined if it is unknown. */
export interface FirstSteps {
  of(session: Session): Promise<FirstStep | undefined>;
}

/** Previews a submission, with the texts of a refusal or a start. Nothing is started. */
export class ReadSubmission {
  constructor(
    private readonly ports: Pick<SessionPorts, 'inspector' | 'readableBy' | 'limits' | 'knowledge'>,
    private readonly submitting: Pick<SubmitSession, 'check'>,
    private readonly firstSteps: FirstSteps,
  ) {}

  /** @throws Fault `access.denied` for another's proposal; `inspection.busy`, `decisions.busy` */
  async run(submission: unknown, principal: Principal): Promise<SubmissionReading> {
    let session: Session;
    try {
      session = await this.submitting.check(submission, principal);
    } catch (error) {
      if (!isFault(error) || error.code !== 'submission.invalid') throw error;
      return { files: this.readingOf(await this.readableFiles(submission, principal)), problems: error.problems };
    }
    const { guidance, request } = session;
    const first = await this.firstSteps.of(session);
    return {
      files: this.readingOf(request.inputs, this.ports.knowledge.fileUses(session)),
      problems: [],
      ...(guidance !== undefined && { guidance }),
      ...(first !== undefined && { first }),
    };
  }

  private readingOf(files: readonly SessionFile[], uses: readonly FileUse[] = []): SubmissionReading['files'] {
    const categories = this.ports.knowledge.categories(files);
    return files.map(({ path, size, facts: { format } }, at) => {
      const use = uses[at];
      return { path, size, format, categories: categories[at] ?? [], ...(use !== undefined && { use }) };
    });
  }

  /** The readable files of a refused submission, for the preview. */
  private async readableFiles(submission: unknown, principal: Principal): Promise<readonly SessionFile[]> {
    // Problems were already reported.
    const reported = new ProblemList();
    const body = readSubmissionBody(submission, reported);
    return (await submittedInputs(body, fileRulesOf(this.ports, principal), reported)).inputs;
  }
}
