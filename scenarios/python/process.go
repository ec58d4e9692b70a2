package python

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// Operations of frames; tallynet.py has the same list.
const (
	opOK byte = iota
	opError
	opInit
	opCall
	opResume
	opYield
	opDone
	opOracle
	opWork
	opReport
	opSend
	opDraw
)

const (
	version      = 2
	largestFrame = 1 << 31
	shortFrame   = 1 << 16 // bytes; shorter frames are not copied
)

// process is a child that runs tallynet.py.
type process struct {
	cmd      *exec.Cmd
	in       *os.File // to the child
	out      *os.File // from the child
	from     pipe     // out
	begun    bool     // the child has sent its version
	frames   *bufio.Reader
	patience time.Duration
	until    time.Time // the deadline of in and out
	printed  *tail
	buf      []byte
	dead     bool
	waiting  waiting
}

// tail forwards the output of a child and keeps its end.
type tail struct {
	mu   sync.Mutex
	text []byte
	to   io.Writer
}

const tailBytes = 8192

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if n := len(t.text) - tailBytes; n > 0 {
		t.text = t.text[n:]
	}
	return t.to.Write(p)
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.text))
}

// start starts a child, whose answers may take as long as patience.
func start(patience time.Duration) (*process, error) {
	program := os.Getenv("TALLYNET_PYTHON")
	if program == "" {
		program = "python3"
	}
	inRead, inWrite, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	outRead, outWrite, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, inRead.Close(), inWrite.Close())
	}
	from := lookingAt(outRead)
	p := &process{cmd: exec.Command(program, "-u", "-c", string(Library)), in: inWrite, out: outRead,
		from: from, frames: bufio.NewReaderSize(from, shortFrame),
		patience: max(patience, starting),
		printed:  &tail{to: os.Stderr}}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = inRead, outWrite, p.printed
	p.cmd.WaitDelay = time.Second
	err = p.cmd.Start()
	err = errors.Join(err, inRead.Close(), outWrite.Close())
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start %s: %w; install Python 3 with numpy, or name it in TALLYNET_PYTHON",
			program,
			err), p.in.Close(), p.out.Close())
	}
	op, body, err := p.read()
	if err != nil {
		return nil, err
	}
	if op != opOK || len(body) != 8 || string(body[:4]) != "TLNY" || binary.LittleEndian.Uint32(body[4:]) != version {
		p.kill()
		return nil, fmt.Errorf("%s does not speak version %d of the protocol: %.60q", program, version, body)
	}
	p.begun = true
	return p, nil
}

// frame returns the head of a frame. The caller appends the body, and send completes the head.
func (p *process) frame(op byte) []byte { return append(p.buf[:0], 0, 0, 0, 0, op) }

// send sends a frame.
func (p *process) send(frame []byte) error {
	if p.dead {
		return errors.New("the Python process has ended")
	}
	p.buf = frame
	binary.LittleEndian.PutUint32(frame, uint32(len(frame)-5))
	if err := p.wait(); err != nil {
		return err
	}
	if _, err := p.in.Write(frame); err != nil {
		return p.ended(err)
	}
	return nil
}

// read receives a frame. Its body is valid until the next read.
func (p *process) read() (op byte, body []byte, err error) {
	if err := p.wait(); err != nil {
		return 0, nil, err
	}
	if p.frames.Buffered() == 0 && p.begun {
		p.from.look()
	}
	head, err := p.frames.Peek(5)
	if err != nil {
		return 0, nil, p.ended(err)
	}
	op = head[4]
	n := binary.LittleEndian.Uint32(head)
	if n > largestFrame {
		p.kill()
		return 0, nil, fmt.Errorf("the Python process sends a frame of %d bytes", n)
	}
	_, _ = p.frames.Discard(len(head)) // they are there
	if n <= shortFrame {
		body, err = p.frames.Peek(int(n))
		if err == nil {
			_, err = p.frames.Discard(len(body))
		}
	} else {
		body = make([]byte, n)
		_, err = io.ReadFull(p.frames, body)
	}
	if err != nil {
		return 0, nil, p.ended(err)
	}
	return op, body, nil
}

// wait sets the deadline for the next frame to patience and up to a quarter more. It renews deadlines rarely, since
// setting one costs as much as a frame.
func (p *process) wait() error {
	now := time.Now()
	if p.until.Sub(now) >= p.patience {
		return nil
	}
	p.until = now.Add(p.patience + p.patience/4)
	return errors.Join(p.in.SetWriteDeadline(p.until), p.out.SetReadDeadline(p.until))
}

// ended ends a child that no longer answers, and returns why it does not.
func (p *process) ended(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		where := p.where()
		_ = p.cmd.Process.Kill() // it would not see that its input ends
		p.kill()
		return fmt.Errorf("no answer within %v, the limit of one call; the process was ended%s (timeout: 10min raises the "+
			"limit)\n%s", p.patience, innermost(where), where)
	}
	p.kill()
	text := "the Python process has ended: " + p.cmd.ProcessState.String()
	if printed := p.printed.String(); printed != "" {
		text += "; it last printed: " + printed[strings.LastIndexByte(printed, '\n')+1:] + "\n" + printed
	}
	return errors.New(text)
}

// innermost returns the first frame of a stack that where has, in the form ` in File "mine.py", line 5 in m`.
func innermost(stack string) string {
	for line := range strings.Lines(stack) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "File ") {
			return " in " + line
		}
	}
	return ""
}

// where asks a hanging child for its stack, and returns what it prints until it is silent.
func (p *process) where() string {
	const step, quiet, most = 10 * time.Millisecond, 5, 30 // of steps
	before := p.printed.String()
	sayWhere(p.cmd.Process)
	text, same := "", 0
	for range most {
		time.Sleep(step)
		now := strings.TrimSpace(strings.TrimPrefix(p.printed.String(), before))
		if same++; now != text || now == "" {
			text, same = now, 0
		}
		if same == quiet {
			break
		}
	}
	return text
}

// kill ends the child. Further calls do nothing.
func (p *process) kill() {
	if p.dead {
		return
	}
	p.dead = true
	_ = p.in.Close()
	done := make(chan struct{})
	go func() {
		_ = p.cmd.Wait() // how it ended is in ProcessState
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(200 * time.Millisecond):
		_ = p.cmd.Process.Kill()
		<-done
	}
	_ = p.out.Close()
}

// traceback is an error of the user's code.
type traceback struct{ text string }

func (e *traceback) Error() string { return e.text }

// ask sends a frame and returns the answer.
func (p *process) ask(frame []byte) ([]byte, error) {
	if err := p.send(frame); err != nil {
		return nil, err
	}
	got, answer, err := p.read()
	switch {
	case err != nil:
		return nil, err
	case got == opError:
		return nil, &traceback{strings.TrimSpace(string(answer))}
	case got != opOK:
		p.kill()
		return nil, fmt.Errorf("the Python process answers with operation %d", got)
	}
	return answer, nil
}

// starting is the least time that a child has to start and to import its modules.
const starting = time.Minute

// begin sends the description of a run or problem. Later answers may take as long as patience.
func (p *process) begin(init any, patience time.Duration) ([]byte, error) {
	body, err := json.Marshal(init)
	if err != nil {
		return nil, err
	}
	answer, err := p.ask(append(p.frame(opInit), body...))
	p.patience, p.until = patience, time.Time{}
	return answer, err
}

// array is a vector (cols 0) or a matrix.
type array struct {
	rows, cols int
	data       []float64
}

func vector(v []float64) array { return array{rows: len(v), data: v} }

// pack appends the encoding of arrays.
func pack(b []byte, arrays ...array) []byte {
	b = binary.LittleEndian.AppendUint16(b, uint16(len(arrays)))
	for _, a := range arrays {
		b = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(b, uint32(a.rows)), uint32(a.cols))
		for _, v := range a.data {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
	}
	return b
}

var errFrame = errors.New("the Python process sends a damaged frame")

// unpack decodes arrays.
func unpack(b []byte) ([]array, error) {
	if len(b) < 2 {
		return nil, errFrame
	}
	arrays := make([]array, binary.LittleEndian.Uint16(b))
	b = b[2:]
	for i := range arrays {
		if len(b) < 8 {
			return nil, errFrame
		}
		a := array{rows: int(binary.LittleEndian.Uint32(b)), cols: int(binary.LittleEndian.Uint32(b[4:]))}
		size := a.rows * max(a.cols, 1)
		if b = b[8:]; size < 0 || len(b) < 8*size {
			return nil, errFrame
		}
		a.data = make([]float64, size)
		for k := range a.data {
			a.data[k] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*k:]))
		}
		b, arrays[i] = b[8*size:], a
	}
	if len(bytes.TrimSpace(b)) > 0 {
		return nil, errFrame
	}
	return arrays, nil
}
