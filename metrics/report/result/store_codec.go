package result

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/gob"
	"errors"
	"io"
)

// runCodec writes and reads the files of a store: a digest of the types, the key, and the Run encoded by
// encoding/gob, compressed. gob begins with a description of all types, which takes ten times as long to read as a
// short run. Since the runs of a store are those of one program, the files omit the description, and the digest
// rejects files with other types. A codec is for one goroutine.
type runCodec struct {
	types   []byte // what gob writes before the first Run
	digest  [sha256.Size]byte
	encoder *gob.Encoder
	encoded bytes.Buffer
	decoder *gob.Decoder // nil: none that is in order
	content bytes.Buffer // what the decoder reads
	size    int          // of the run that was decoded last, in bytes as gob has it
	packer  *gzip.Writer
}

func newRunCodec() *runCodec {
	c := &runCodec{}
	c.encoder = gob.NewEncoder(&c.encoded)
	if err := c.encoder.Encode(new(Run)); err != nil {
		panic("result: " + err.Error()) // a Run is made of what gob can encode
	}
	c.types = bytes.Clone(c.encoded.Bytes())
	c.digest = sha256.Sum256(c.types)
	var err error
	if c.packer, err = gzip.NewWriterLevel(io.Discard, gzip.BestSpeed); err != nil {
		panic("result: " + err.Error()) // the level is one of its own
	}
	return c
}

// encode writes the file of a run.
func (c *runCodec) encode(w io.Writer, key string, run *Run) error {
	c.encoded.Reset()
	if err := c.encoder.Encode(run); err != nil {
		return err
	}
	c.packer.Reset(w)
	for _, part := range [][]byte{c.digest[:], []byte(key), {'\n'}, c.encoded.Bytes()} {
		if _, err := c.packer.Write(part); err != nil {
			return err
		}
	}
	return c.packer.Close()
}

// decode reads the run of a key to the end, where the checksum is. It rejects a renamed file.
func (c *runCodec) decode(r io.Reader, key string) (*Run, error) {
	opener, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	c.content.Reset()
	if _, err := c.content.ReadFrom(opener); err != nil {
		return nil, err
	}
	if !bytes.Equal(c.content.Next(len(c.digest)), c.digest[:]) {
		return nil, errors.New("it is not a run that this program has stored")
	}
	if stored, err := c.content.ReadString('\n'); err != nil || stored != key+"\n" {
		return nil, errors.New("it is the file of another run")
	}
	c.size = c.content.Len()
	return c.run()
}

// run decodes the rest of the content. A decoder that has failed is not used again.
func (c *runCodec) run() (*Run, error) {
	decoder := c.decoder
	c.decoder = nil
	if decoder == nil {
		rest := bytes.Clone(c.content.Bytes())
		c.content.Reset()
		c.content.Write(c.types)
		decoder = gob.NewDecoder(&c.content)
		if err := decoder.Decode(new(Run)); err != nil {
			return nil, err
		}
		c.content.Write(rest)
	}
	run := new(Run)
	if err := decoder.Decode(run); err != nil {
		return nil, err
	}
	if c.content.Len() > 0 {
		return nil, errors.New("it holds more than a run")
	}
	c.decoder = decoder
	return run, nil
}
