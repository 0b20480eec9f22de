// doorway leads from a loopback port of the host into the cluster's network namespace, which has no other link to the outside:
//
//	doorway HOST:PORT NAMESPACE TARGET:PORT
//
// It listens where it is started, then enters NAMESPACE (a file like /proc/123/ns/net) with the open listener and connects from
// there. A thread that changed its namespace would not be enough, since Go dials on any thread: so nsenter runs it once more.
package main

import (
	"io"
	"log"
	"net"
	"os"
	"os/exec"
	"sync"
	"syscall"
)

const (
	inside   = "--inside"
	listener = 3 // the file descriptor that the second run inherits
)

func enter(address, namespace, target string) error {
	open, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	file, err := open.(*net.TCPListener).File()
	if err != nil {
		return err
	}
	if err := syscall.Dup3(int(file.Fd()), listener, 0); err != nil {
		if file.Fd() != listener {
			return err
		}
		if _, _, errno := syscall.Syscall(syscall.SYS_FCNTL, listener, syscall.F_SETFD, 0); errno != 0 {
			return errno
		}
	}
	nsenter, err := exec.LookPath("nsenter")
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	return syscall.Exec(nsenter, []string{"nsenter", "--net=" + namespace, self, inside, target}, os.Environ())
}

// carry copies one direction and passes the end of the stream on.
func carry(to, from *net.TCPConn, done *sync.WaitGroup) {
	defer done.Done()
	_, err := io.Copy(to, from)
	if err != nil {
		to.SetLinger(0) // a reset stays a reset
		to.Close()
		return
	}
	to.CloseWrite()
}

func serve(client *net.TCPConn, target string) {
	defer client.Close()
	dialled, err := net.Dial("tcp", target)
	if err != nil {
		client.SetLinger(0)
		return
	}
	server := dialled.(*net.TCPConn)
	defer server.Close()
	var both sync.WaitGroup
	both.Add(2)
	go carry(server, client, &both)
	go carry(client, server, &both)
	both.Wait()
}

func forward(target string) error {
	open, err := net.FileListener(os.NewFile(listener, "listener"))
	if err != nil {
		return err
	}
	for {
		client, err := open.(*net.TCPListener).AcceptTCP()
		if err != nil {
			return err
		}
		go serve(client, target)
	}
}

func main() {
	switch {
	case len(os.Args) == 3 && os.Args[1] == inside:
		log.Fatal(forward(os.Args[2]))
	case len(os.Args) == 4:
		log.Fatal(enter(os.Args[1], os.Args[2], os.Args[3]))
	default:
		log.Fatal("doorway HOST:PORT NAMESPACE TARGET:PORT")
	}
}
